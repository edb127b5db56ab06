#include "model/position_embedding.h"

#include <cmath>

namespace pdvc {

Tensor sine_embedding(const Tensor& x, int64_t channels) {
  const Tensor index = torch::arange(channels, x.options());
  const Tensor period =
      torch::pow(10000.0, 2 * (index / 2).floor() / static_cast<double>(channels));
  const Tensor angle = x.unsqueeze(-1) / period;
  const Tensor even = (torch::arange(channels, x.options().dtype(torch::kLong)) % 2 == 0);
  return torch::where(even, angle.sin(), angle.cos());
}

PositionEmbeddingImpl::PositionEmbeddingImpl(int64_t hidden) : hidden_(hidden) {}

Tensor PositionEmbeddingImpl::forward(const Tensor& mask, const Tensor& durations) {
  const auto type = duration_->weight.dtype();
  const Tensor count = mask.to(type).cumsum(1);  // 1, 2, ... over real positions
  const Tensor last = count.slice(1, -1);
  const Tensor sine = sine_embedding((count - 0.5) / (last + 1e-6) * (2 * M_PI), hidden_ / 2);
  const Tensor seconds = torch::arange(kLongestDuration, durations.options());
  const Tensor filled = (seconds.unsqueeze(0) < durations.floor().unsqueeze(1)).to(type);
  const Tensor duration = duration_(filled).unsqueeze(1).expand({-1, mask.size(1), -1});
  return torch::cat({sine, duration}, 2);
}

}  // namespace pdvc
