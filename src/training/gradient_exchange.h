// Gradients of all workers, averaged: over the network while backward still runs, or through memory
// that workers of one machine share.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <vector>

#include "training/adam.h"
#include "training/distributed.h"
#include "training/shared_memory.h"

namespace torch::autograd {
struct Node;
}

namespace pdvc {

// Parameters are put together in buckets, the last first, because backward comes to them first. As
// soon as all of a bucket have their gradient its sum over the workers starts. Buckets start in the
// same order everywhere, whatever the order in which their gradients come.
//
// On one machine gradients are put into shared memory instead, and so are the weights: each worker
// averages the gradients of its part of the parameters and steps those alone, for all. Sending
// gradients through the network stack cost two thirds of a step's computation, and stepping
// everything everywhere made the workers wait for the memory.
//
// c10d has a Reducer of its own, but it waits for ever for a worker that has no video and runs no
// backward, and it does not tell a parameter that took no part anywhere from one whose gradient is
// zero.
class GradientExchange {
 public:
  GradientExchange(std::vector<torch::Tensor> parameters, Workers& workers);
  ~GradientExchange();
  // Whether the weights are the same memory for all workers.
  bool shares_weights() const { return shared_ != nullptr; }
  // Has the optimiser step this worker's part alone, with what it remembers in shared memory. To be
  // called once, when weights are shared, by all workers.
  void share(Adam& optimizer);
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  // Before the last backward of a step.
  void begin();
  // After it, also where there was nothing to run backward on. Gradients of the parameters that
  // this worker steps are then the means over all; parameters that took no part anywhere have none.
  // `numbers` are summed as well. Returns the L2 norm of the means where it is known without
  // another pass over them.
  std::optional<double> finish(std::vector<double>& numbers);

 private:
  struct Bucket;
  struct Hook;

  void parameter_ready(size_t parameter);
  void start_ready_buckets();
  void start(Bucket& bucket);
  // The shared memory holds all parameters several times, in the order of the buckets: the
  // gradients of each worker, then these.
  enum class Part { weights, optimizer_means, optimizer_squares };
  float* gradients_of(int worker) const;
  float* shared_part(Part part) const;
  torch::Tensor shared_view(Part part, size_t parameter) const;
  bool is_own(size_t parameter) const;
  double average_through_memory();  // returns the norm

  std::vector<torch::Tensor> parameters_;
  std::vector<size_t> bucket_of_;
  Workers& workers_;
  std::vector<Bucket> buckets_;
  std::vector<int64_t> first_;            // of each parameter, among all buckets' elements
  int64_t elements_ = 0;                  // of all buckets
  std::unique_ptr<SharedMemory> shared_;  // null: over the network
  size_t next_ = 0;                       // bucket to start
  bool active_ = false;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;
};

}  // namespace pdvc
