// Dropout with a generator that can be asked for any element at once.
#pragma once

#include <torch/torch.h>

namespace pdvc {

using torch::Tensor;

// Sets a share of the numbers to 0 while training and scales up the others. Torch's own draws its
// mask one number after another, which cost a twentieth of a training step; here one number of
// Torch's generator seeds a hash of each element's index, which threads share and backward repeats
// instead of keeping a mask.
class DropoutImpl : public torch::nn::Module {
 public:
  explicit DropoutImpl(double share) : share_(share) {}
  Tensor forward(const Tensor& x) const;

 private:
  double share_;
};
TORCH_MODULE(Dropout);

}  // namespace pdvc
