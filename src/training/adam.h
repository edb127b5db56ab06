// Adam in one pass over each parameter, with weight decay in the gradient (as published) or
// decoupled (AdamW).
#pragma once

#include <torch/torch.h>

#include <optional>
#include <vector>

namespace pdvc {

enum class WeightDecay { in_gradient, decoupled };

struct AdamOptions {
  double learning_rate = 5e-5;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 1e-4;
  WeightDecay decay = WeightDecay::in_gradient;
  bool fused = true;  // in one pass where the parameters are in this machine's memory
};

// Steps the parameters that have a gradient; the others are neither stepped nor decayed.
class Adam {
 public:
  Adam(std::vector<torch::Tensor> parameters, AdamOptions options);

  void zero_gradients();
  // The L2 norm of all gradients together.
  double gradient_norm() const;
  // One step with gradients scaled so that their norm is at most `largest_norm`; returns the norm
  // before. `known_norm` saves a pass over the gradients.
  double step(double largest_norm, std::optional<double> known_norm = std::nullopt);

  AdamOptions& options() { return options_; }

  // What it remembers of one parameter. The tensors are undefined before the first step, unless
  // they have been given a place; they mean nothing while `steps` is 0.
  struct Slot {
    torch::Tensor parameter, mean, square;
    int64_t steps = 0;
    bool is_own = true;  // false: another worker steps it, in the same memory
  };
  // In the order of the parameters.
  std::vector<Slot>& slots() { return slots_; }

 private:
  void step_one(Slot& slot, double scale) const;

  std::vector<Slot> slots_;
  AdamOptions options_;
};

}  // namespace pdvc
