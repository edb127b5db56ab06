#include "training/moving_average.h"

namespace pdvc {

MovingAverage::MovingAverage(std::vector<torch::Tensor> parameters, double decay)
    : decay_(decay), parameters_(std::move(parameters)) {
  if (!is_on()) return;
  for (const torch::Tensor& parameter : parameters_)
    averages_.push_back(parameter.detach().clone());
}

void MovingAverage::update() {
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < averages_.size(); ++i) averages_[i].lerp_(parameters_[i], 1 - decay_);
}

void MovingAverage::swap() {
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < averages_.size(); ++i) {
    const torch::Tensor weights = parameters_[i].detach().clone();
    parameters_[i].copy_(averages_[i]);
    averages_[i].copy_(weights);
  }
}

}  // namespace pdvc
