#include "training/adam.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pdvc {
namespace {

constexpr int64_t kGrain = 1 << 15;

// Compiled for the widest registers at hand as well: with four numbers at a time, roots and
// divisions take longer than the memory.
#define PDVC_FOR_EACH_CPU __attribute__((target_clones("avx512f", "avx2", "default")))

// The numbers of one step that do not depend on the element.
struct StepFactors {
  float beta1, beta2, rate, root_correction, epsilon, decay, shrink, scale;
};

PDVC_FOR_EACH_CPU void update(float* parameter, const float* gradient, float* mean, float* square,
                              int64_t count, StepFactors f) {
  for (int64_t i = 0; i < count; ++i) {
    const float g = gradient[i] * f.scale + f.decay * parameter[i];
    mean[i] = f.beta1 * mean[i] + (1 - f.beta1) * g;
    square[i] = f.beta2 * square[i] + (1 - f.beta2) * g * g;
    parameter[i] = parameter[i] * f.shrink -
                   f.rate * mean[i] / (std::sqrt(square[i]) / f.root_correction + f.epsilon);
  }
}

PDVC_FOR_EACH_CPU double sum_of_squares(const float* x, int64_t count) {
  constexpr int64_t kLanes = 8;
  double sums[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += static_cast<double>(x[i + lane]) * static_cast<double>(x[i + lane]);
  for (; i < count; ++i) sums[0] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return std::accumulate(sums, sums + kLanes, 0.0);
}

// The same step in Torch's own operations, for parameters that are not in this machine's memory.
void update_anywhere(Adam::Slot& slot, const torch::Tensor& gradient, StepFactors f) {
  const torch::Tensor g = gradient * f.scale + slot.parameter * f.decay;
  slot.mean.mul_(f.beta1).add_(g, 1 - f.beta1);
  slot.square.mul_(f.beta2).addcmul_(g, g, 1 - f.beta2);
  slot.parameter.mul_(f.shrink).addcdiv_(
      slot.mean, slot.square.sqrt().div_(f.root_correction).add_(f.epsilon), -f.rate);
}

// Summed by blocks of a fixed size, so that the number of threads does not change the result.
double sum_of_squares(const torch::Tensor& gradient) {
  if (!gradient.is_cpu()) return gradient.to(torch::kDouble).square().sum().item<double>();
  const torch::Tensor x = gradient.contiguous();
  const int64_t count = x.numel(), blocks = (count + kGrain - 1) / kGrain;
  std::vector<double> sums(static_cast<size_t>(blocks));
  at::parallel_for(0, blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b)
      sums[static_cast<size_t>(b)] =
          sum_of_squares(x.data_ptr<float>() + b * kGrain, std::min(kGrain, count - b * kGrain));
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

Adam::Adam(std::vector<torch::Tensor> parameters, AdamOptions options) : options_(options) {
  for (torch::Tensor& parameter : parameters) slots_.push_back({.parameter = parameter});
}

void Adam::zero_gradients() {
  for (Slot& slot : slots_) slot.parameter.mutable_grad() = torch::Tensor();
}

double Adam::gradient_norm() const {
  double sum = 0;
  for (const Slot& slot : slots_)
    if (slot.parameter.grad().defined()) sum += sum_of_squares(slot.parameter.grad());
  return std::sqrt(sum);
}

double Adam::step(double largest_norm, std::optional<double> known_norm) {
  torch::NoGradGuard no_grad;
  const double norm = known_norm ? *known_norm : gradient_norm();
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
  if (!slot.is_own) return;
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
  if (!slot.parameter.is_cpu() || !o.fused)
    return update_anywhere(slot, slot.parameter.grad(), factors);
  const torch::Tensor gradient = slot.parameter.grad().contiguous();
  float *p = slot.parameter.data_ptr<float>(), *m = slot.mean.data_ptr<float>(),
        *v = slot.square.data_ptr<float>();
  const float* g = gradient.data_ptr<float>();
  at::parallel_for(0, slot.parameter.numel(), kGrain, [&](int64_t begin, int64_t end) {
    update(p + begin, g + begin, m + begin, v + begin, end - begin, factors);
  });
}

}  // namespace pdvc
