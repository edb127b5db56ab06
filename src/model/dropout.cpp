#include "model/dropout.h"

#include <ATen/Parallel.h>

#include <limits>

namespace pdvc {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

constexpr int64_t kGrain = 1 << 14;

// Bits of a 32-bit number mixed so that each depends on all (multiply and xor-shift).
inline uint32_t mixed(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

struct Drop {
  uint32_t seed_low, seed_high;
  uint32_t below;  // elements whose hash is below are dropped
  double scale;
};

template <class T>
inline void drop(const T* in, T* out, int64_t begin, int64_t end, Drop d) {
  const T scale = static_cast<T>(d.scale);
  for (int64_t i = begin; i < end; ++i) {
    const uint32_t hash = mixed(mixed(static_cast<uint32_t>(i) ^ d.seed_low) + d.seed_high);
    out[i] = hash < d.below ? T(0) : in[i] * scale;
  }
}

__attribute__((target_clones("avx512f", "avx2", "default"))) void drop_floats(const float* in,
                                                                              float* out,
                                                                              int64_t begin,
                                                                              int64_t end, Drop d) {
  drop(in, out, begin, end, d);
}

Tensor dropped(const Tensor& x, double share, int64_t seed) {
  const Tensor in = x.contiguous();
  Tensor out = torch::empty_like(in);
  const Drop d{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32),
               static_cast<uint32_t>(share * std::numeric_limits<uint32_t>::max()),
               1 / (1 - share)};
  at::parallel_for(0, in.numel(), kGrain, [&](int64_t begin, int64_t end) {
    if (in.scalar_type() == torch::kFloat)
      drop_floats(in.data_ptr<float>(), out.data_ptr<float>(), begin, end, d);
    else
      drop(in.data_ptr<double>(), out.data_ptr<double>(), begin, end, d);
  });
  return out;
}

class HashedDropout : public Function<HashedDropout> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, double share, int64_t seed) {
    context->saved_data["share"] = share;
    context->saved_data["seed"] = seed;
    return dropped(x, share, seed);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {dropped(gradients[0], context->saved_data["share"].toDouble(),
                    context->saved_data["seed"].toInt()),
            Tensor(), Tensor()};
  }
};

}  // namespace

Tensor DropoutImpl::forward(const Tensor& x) const {
  if (!is_training() || share_ == 0) return x;
  if (!x.device().is_cpu() || share_ >= 1) return torch::dropout(x, share_, /*train=*/true);
  const int64_t seed =
      torch::randint(std::numeric_limits<int64_t>::max(), {1}, torch::kLong).item<int64_t>();
  return HashedDropout::apply(x, share_, seed);
}

}  // namespace pdvc
