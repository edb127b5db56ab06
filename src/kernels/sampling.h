// Reading between the positions of a video's levels: deformable attention and the captioner's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/vector.h"

namespace pdvc {

// The rows of one level that a head looks at: row j begins at rows + j * stride.
struct LevelRows {
  const float* rows = nullptr;
  int64_t stride = 0, length = 0;
};

// Samples of all levels, the same number of each: places[level * points + k], in positions of the
// level. A place between two positions reads both; what lies outside a level counts as zero.
// out = the sum of weights[i] * sample i.
class DeformableSampler {
 public:
  void attend(std::span<const LevelRows> levels, std::span<const float> places,
              std::span<const float> weights, std::span<float> out);

 private:
  std::vector<const float*> rows_;
  std::vector<float> factors_;
};

// The same places, but those outside a level read its border. The samples are scored, softmax of
// the sum over a of alpha[a] * tanh(key[a] + query[a]), and out is the weighted sum of their
// values.
class CaptionSampler {
 public:
  void attend(std::span<const LevelRows> keys, std::span<const LevelRows> values,
              std::span<const float> places, std::span<const float> query,
              std::span<const float> alpha, std::span<float> out);

 private:
  std::vector<float> weights_;
};

}  // namespace pdvc
