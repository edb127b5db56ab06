#include "training/adam.h"

#include <ATen/Parallel.h>

#include <cmath>

namespace pdvc {
namespace {

constexpr int64_t kGrain = 1 << 15;

// The numbers of one step that do not depend on the element.
struct StepFactors {
  float beta1, beta2, rate, root_correction, epsilon, decay, shrink, scale;
};

void update(float* parameter, const float* gradient, float* mean, float* square, int64_t count,
            StepFactors f) {
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * f.scale + f.decay * parameter[i];
    mean[i] = f.beta1 * mean[i] + (1 - f.beta1) * g;
    square[i] = f.beta2 * square[i] + (1 - f.beta2) * g * g;
    parameter[i] = parameter[i] * f.shrink -
                   f.rate * mean[i] / (std::sqrt(square[i]) / f.root_correction + f.epsilon);
  }
}

}  // namespace

Adam::Adam(std::vector<torch::Tensor> parameters, AdamOptions options) : options_(options) {
  for (torch::Tensor& parameter : parameters) slots_.push_back({parameter, {}, {}, 0});
}

void Adam::zero_gradients() {
  for (Slot& slot : slots_) slot.parameter.mutable_grad() = torch::Tensor();
}

double Adam::gradient_norm() const {
  double sum = 0;
  for (const Slot& slot : slots_)
    if (slot.parameter.grad().defined()) {
      const double norm = slot.parameter.grad().norm().item<double>();
      sum += norm * norm;
    }
  return std::sqrt(sum);
}

double Adam::step(double largest_norm) {
  torch::NoGradGuard no_grad;
  const double norm = gradient_norm();
  const double scale = std::min(1.0, largest_norm / (norm + 1e-6));
  for (Slot& slot : slots_)
    if (slot.parameter.grad().defined()) step_one(slot, scale);
  return norm;
}

void Adam::step_one(Slot& slot, double scale) const {
  if (!slot.mean.defined()) {
    slot.mean = torch::zeros_like(slot.parameter, torch::MemoryFormat::Contiguous);
    slot.square = torch::zeros_like(slot.mean);
  }
  ++slot.steps;
  const auto& o = options_;
  const double steps = static_cast<double>(slot.steps);
  const bool decoupled = o.decay == WeightDecay::decoupled;
  const StepFactors factors{
      .beta1 = static_cast<float>(o.beta1),
      .beta2 = static_cast<float>(o.beta2),
      .rate = static_cast<float>(o.learning_rate / (1 - std::pow(o.beta1, steps))),
      .root_correction = static_cast<float>(std::sqrt(1 - std::pow(o.beta2, steps))),
      .epsilon = static_cast<float>(o.epsilon),
      .decay = static_cast<float>(decoupled ? 0 : o.weight_decay),
      .shrink = static_cast<float>(decoupled ? 1 - o.learning_rate * o.weight_decay : 1),
      .scale = static_cast<float>(scale)};
  const torch::Tensor gradient = slot.parameter.grad().contiguous();
  float *p = slot.parameter.data_ptr<float>(), *m = slot.mean.data_ptr<float>(),
        *v = slot.square.data_ptr<float>();
  const float* g = gradient.data_ptr<float>();
  at::parallel_for(0, slot.parameter.numel(), kGrain, [&](int64_t begin, int64_t end) {
    update(p + begin, g + begin, m + begin, v + begin, end - begin, factors);
  });
}

}  // namespace pdvc
