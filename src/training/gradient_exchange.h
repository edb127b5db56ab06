// Gradients of all workers, averaged: over the network while backward still runs, or through memory
// that workers of one machine share.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

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
// On one machine gradients are put into shared memory instead, and each worker sums a part of them:
// sending them through the network stack cost two thirds of a step's computation.
//
// c10d has a Reducer of its own, but it waits for ever for a worker that has no video and runs no
// backward, and it does not tell a parameter that took no part anywhere from one whose gradient is
// zero.
class GradientExchange {
 public:
  GradientExchange(std::vector<torch::Tensor> parameters, Workers& workers);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  // Before the last backward of a step.
  void begin();
  // After it, also where there was nothing to run backward on. Gradients are then the means over
  // all workers; parameters that took no part anywhere have none. `numbers` are summed as well.
  void finish(std::vector<double>& numbers);

 private:
  struct Bucket;
  struct Hook;

  void parameter_ready(size_t parameter);
  void start_ready_buckets();
  void start(Bucket& bucket);
  // Where a worker's gradients stand in the shared memory, and behind all of them their mean.
  float* shared_part(int worker) const;
  void average_through_memory();

  std::vector<torch::Tensor> parameters_;
  std::vector<size_t> bucket_of_;
  Workers& workers_;
  std::vector<Bucket> buckets_;
  int64_t elements_ = 0;                  // of all buckets
  std::unique_ptr<SharedMemory> shared_;  // null: over the network
  size_t next_ = 0;                       // bucket to start
  bool active_ = false;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;
};

}  // namespace pdvc
