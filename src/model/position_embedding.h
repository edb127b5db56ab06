// Where in time a position is, and how long the video is, as vectors.
#pragma once

#include <torch/torch.h>

#include "model/product.h"

namespace pdvc {

using torch::Tensor;

// x [...] in radians -> [..., channels]: sines at even, cosines at odd channels, of falling
// frequency.
Tensor sine_embedding(const Tensor& x, int64_t channels);

// First half of the channels: a sine embedding of the position; second half: the video's duration,
// the same everywhere.
class PositionEmbeddingImpl : public torch::nn::Module {
 public:
  explicit PositionEmbeddingImpl(int64_t hidden);

  // mask [video, position], durations [video] in seconds -> [video, position, hidden]
  Tensor forward(const Tensor& mask, const Tensor& durations);

 private:
  static constexpr int64_t kLongestDuration = 256;  // seconds; longer videos look like this
  int64_t hidden_;
  Linear duration_{register_module("duration_embed_layer", Linear(kLongestDuration, hidden_ / 2))};
};
TORCH_MODULE(PositionEmbedding);

}  // namespace pdvc
