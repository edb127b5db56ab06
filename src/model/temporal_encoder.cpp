#include "model/temporal_encoder.h"

namespace pdvc {
namespace {

// [video, position] with the first n of each row true.
Tensor prefix_mask(const Tensor& counts, int64_t length) {
  return torch::arange(length, counts.options()).unsqueeze(0) < counts.unsqueeze(1);
}

}  // namespace

LevelProjectionImpl::LevelProjectionImpl(int64_t in, int64_t out, int64_t kernel, int64_t stride)
    : convolution_(register_module(
          "0", torch::nn::Conv1d(
                   torch::nn::Conv1dOptions(in, out, kernel).stride(stride).padding(kernel / 2)))),
      norm_(register_module("1", torch::nn::GroupNorm(kGroups, out))) {
  torch::nn::init::xavier_uniform_(convolution_->weight);
  torch::nn::init::zeros_(convolution_->bias);
}

Tensor LevelProjectionImpl::normalize(const Tensor& features, const Tensor& mask) {
  const int64_t videos = features.size(0), hidden = features.size(1), length = features.size(2);
  const Tensor real = mask.to(features.dtype()).view({videos, 1, 1, length});
  const Tensor grouped = features.view({videos, kGroups, hidden / kGroups, length});
  const Tensor count = real.sum({1, 2, 3}, /*keepdim=*/true) * (hidden / kGroups);
  const Tensor mean = (grouped * real).sum({2, 3}, /*keepdim=*/true) / count;
  const Tensor centred = (grouped - mean) * real;
  const Tensor variance = centred.square().sum({2, 3}, /*keepdim=*/true) / count;
  const Tensor normal =
      (centred * torch::rsqrt(variance + norm_->options.eps())).view({videos, hidden, length});
  const Tensor scaled = normal * norm_->weight.view({1, -1, 1}) + norm_->bias.view({1, -1, 1});
  return scaled * real.view({videos, 1, length});
}

TemporalEncoderImpl::TemporalEncoderImpl(const ModelSettings& settings)
    : padding_(settings.padding),
      positions_(register_module("pos_embed", PositionEmbedding(settings.hidden))),
      projections_(register_module("input_proj", torch::nn::ModuleList())) {
  for (int64_t level = 0; level < settings.levels; ++level) {
    const int64_t in = level < 2 ? settings.feature_width : settings.hidden;
    projections_->push_back(
        LevelProjection(in, settings.hidden, level == 0 ? 1 : 3, level == 0 ? 1 : 2));
  }
}

// Exact: half of the real positions, rounded up. As published: the frame mask, resized by nearest
// neighbour.
Tensor TemporalEncoderImpl::level_mask(const Tensor& frame_mask, const Tensor& previous_mask,
                                       int64_t length) const {
  if (padding_ == Padding::exact)
    return prefix_mask((previous_mask.sum(1) + 1).floor_divide(2), length);
  const int64_t frames = frame_mask.size(1);
  const Tensor source =
      (torch::arange(length, torch::kLong) * frames).floor_divide(length).to(frame_mask.device());
  return frame_mask.index_select(1, source);
}

std::vector<TemporalEncoderImpl::Level> TemporalEncoderImpl::levels(const VideoBatch& batch) {
  const bool exact = padding_ == Padding::exact && !batch.mask.all().item<bool>();
  const Tensor frames = batch.features.transpose(1, 2);
  std::vector<Level> levels;
  for (size_t l = 0; l < projections_->size(); ++l) {
    auto& projection = *projections_->ptr<LevelProjectionImpl>(l);
    Tensor features = projection.convolve(l < 2 ? frames : levels.back().features);
    const Tensor mask =
        l == 0 ? batch.mask : level_mask(batch.mask, levels.back().mask, features.size(2));
    features = exact ? projection.normalize(features, mask) : projection.normalize(features);
    levels.push_back({features, mask, positions_(mask, batch.durations)});
  }
  return levels;
}

Memory TemporalEncoderImpl::forward(const VideoBatch& batch) {
  std::vector<int64_t> lengths;
  std::vector<Tensor> features, positions, masks, ratios, last;
  for (const Level& level : levels(batch)) {
    const int64_t length = level.features.size(2);
    lengths.push_back(length);
    features.push_back(level.features.transpose(1, 2));
    positions.push_back(level.positions);
    masks.push_back(level.mask);
    const Tensor real = level.mask.sum(1);
    ratios.push_back(real.to(level.features.dtype()) / static_cast<double>(length));
    last.push_back(padding_ == Padding::exact ? (real - 1).clamp_min(0)
                                              : torch::full_like(real, length - 1));
  }
  return {Levels(lengths),      torch::cat(features, 1), torch::cat(positions, 1),
          torch::cat(masks, 1), torch::stack(ratios, 1), torch::stack(last, 1)};
}

}  // namespace pdvc
