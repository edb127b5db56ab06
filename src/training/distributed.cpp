#include "training/distributed.h"

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

namespace pdvc {

Normalizers averaged_over_workers(c10d::ProcessGroup& workers, const Normalizers& own) {
  std::vector<torch::Tensor> counts = {torch::tensor({own.events, own.captions}, torch::kDouble)};
  workers.allreduce(counts)->wait();  // sums
  const torch::Tensor mean = counts[0] / static_cast<double>(workers.getSize());
  return {mean[0].item<double>(), mean[1].item<double>()};
}

}  // namespace pdvc
