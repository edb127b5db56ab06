// Several workers on one training run, found the way torchrun, Slurm and MPI wrappers announce
// them.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "criterion/targets.h"
#include "training/sampler.h"

namespace c10d {
class ProcessGroup;
class Store;
class Work;
}  // namespace c10d

namespace pdvc {

// What the environment says of this process: RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR,
// MASTER_PORT.
struct WorkerEnvironment {
  int rank = 0, size = 1, local_rank = 0;
  std::string address;
  int port = 0;
};
// None when this process is alone; throws when only a part of it is set or it makes no sense.
std::optional<WorkerEnvironment> worker_environment();

// This process among its fellows. Every collective call must be made by all of them in the same
// order; one that fails throws an Error that says that another worker has gone.
class Workers {
 public:
  Workers();  // alone
  explicit Workers(const WorkerEnvironment& environment);
  // For tests: a group that exists already.
  explicit Workers(std::shared_ptr<c10d::ProcessGroup> group);
  ~Workers();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }
  WorkerPlace place() const;

  // Each number summed over all workers, in place.
  void sum(std::vector<double>& numbers);
  // The same of a tensor, under way when it returns.
  class Sum {
   public:
    void wait();

   private:
    friend class Workers;
    std::shared_ptr<void> work_;
  };
  Sum start_sum(torch::Tensor tensor);
  // Every worker's text, by rank.
  std::vector<std::string> gather(const std::string& text);
  void barrier();

 private:
  std::shared_ptr<c10d::ProcessGroup> group_;
  int rank_ = 0, size_ = 1;
};

}  // namespace pdvc
