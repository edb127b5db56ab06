#include "kernels/sampling.h"

#include <algorithm>
#include <cmath>

namespace pdvc {
namespace {

// Between the two positions next to place u, which is moved to the level's border if it is outside.
vector::Between border_row(const LevelRows& level, float u) {
  const int64_t last = level.length - 1;
  const float inside = u > 0 ? std::min(u, static_cast<float>(last)) : 0;  // NaN: 0
  const auto low = static_cast<int64_t>(inside);
  return {level.rows + low * level.stride, level.rows + std::min(low + 1, last) * level.stride,
          inside - static_cast<float>(low)};
}

}  // namespace

void DeformableSampler::attend(std::span<const LevelRows> levels, std::span<const float> places,
                               std::span<const float> weights, std::span<float> out) {
  rows_.clear();
  factors_.clear();
  const size_t points = places.size() / levels.size();
  for (size_t i = 0; i < places.size(); ++i) {
    const LevelRows& level = levels[i / points];
    const float u = places[i];
    if (!(u > -1 && u < static_cast<float>(level.length))) continue;
    const float low = std::floor(u);
    const auto at = static_cast<int64_t>(low);
    const auto add = [&](int64_t position, float share) {
      if (position < 0 || position >= level.length) return;
      rows_.push_back(level.rows + position * level.stride);
      factors_.push_back(weights[i] * share);
    };
    add(at, low + 1 - u);
    add(at + 1, u - low);
  }
  vector::weighted_sum(rows_, factors_, out);
}

void CaptionSampler::attend(std::span<const LevelRows> keys, std::span<const LevelRows> values,
                            std::span<const float> places, std::span<const float> query,
                            std::span<const float> alpha, std::span<float> out) {
  const size_t points = places.size() / keys.size();
  weights_.resize(places.size());
  for (size_t i = 0; i < places.size(); ++i)
    weights_[i] = vector::tanh_score(border_row(keys[i / points], places[i]), query, alpha);
  vector::softmax(weights_);
  std::ranges::fill(out, 0.0f);
  for (size_t i = 0; i < places.size(); ++i)
    vector::add_between(weights_[i], border_row(values[i / points], places[i]), out);
}

}  // namespace pdvc
