// Turns frame features into positions on several time scales, each half as fine as the one before.
#pragma once

#include <torch/torch.h>

#include "data/settings.h"
#include "model/batch.h"
#include "model/position_embedding.h"

namespace pdvc {

// Convolution over time, then group norm: one level.
class LevelProjectionImpl : public torch::nn::Module {
 public:
  LevelProjectionImpl(int64_t in, int64_t out, int64_t kernel, int64_t stride);

  // input [video, channel, frame] -> [video, hidden, position]
  Tensor convolve(const Tensor& input) { return convolution_(input); }
  // With a mask [video, position]: statistics over real positions only, zero where padded.
  Tensor normalize(const Tensor& features, const Tensor& mask);
  Tensor normalize(const Tensor& features) { return norm_(features); }

 private:
  static constexpr int64_t kGroups = 32;
  torch::nn::Conv1d convolution_{nullptr};
  torch::nn::GroupNorm norm_{nullptr};
};
TORCH_MODULE(LevelProjection);

class TemporalEncoderImpl : public torch::nn::Module {
 public:
  explicit TemporalEncoderImpl(const ModelSettings& settings);

  // Memory before any attention; its positions do not yet carry the level's embedding.
  Memory forward(const VideoBatch& batch);

  // Each time scale by itself: features [video, hidden, position], mask and positions.
  struct Level {
    Tensor features, mask, positions;
  };
  std::vector<Level> levels(const VideoBatch& batch);

 private:
  Tensor level_mask(const Tensor& frame_mask, const Tensor& previous_mask, int64_t length) const;

  Padding padding_;
  PositionEmbedding positions_{nullptr};
  torch::nn::ModuleList projections_{nullptr};
};
TORCH_MODULE(TemporalEncoder);

}  // namespace pdvc
