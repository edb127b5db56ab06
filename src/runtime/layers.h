// The weights of a loaded model, layer by layer, packed for the products they take part in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kernels/dense.h"
#include "kernels/vector.h"
#include "runtime/model_source.h"

namespace pdvc {

struct Norm {
  std::vector<float> scale, shift;

  vector::Affine affine() const { return {scale, shift}; }
};

// One level of the temporal encoder: a convolution as a product of gathered rows, then a norm.
struct LevelProjection {
  Dense convolution;
  Norm norm;
  int64_t kernel = 1;  // 1 with stride 1, or 3 with stride 2
};

struct TemporalEncoderLayers {
  std::vector<LevelProjection> levels;
  std::vector<float> durations;  // [257, hidden / 2]: the embedding of each whole second
};

// Attention that samples a few points of each level.
struct DeformableLayers {
  Dense sampling;  // offsets, then weights: 2 * [head, level, point]
  Dense values, output;
  int64_t points = 0;
  bool even = false;  // points are spread evenly over the reference, offsets are not used
};

// Softmax attention.
struct SoftmaxLayers {
  Dense query, key, value, output;
};

using MemoryLayers = std::variant<DeformableLayers, SoftmaxLayers>;

struct FeedForwardLayers {
  Dense first, second;
};

struct EncoderLayer {
  MemoryLayers attention;
  Norm norm1, norm2;
  FeedForwardLayers feed_forward;
};

struct DecoderLayer {
  SoftmaxLayers self_attention;
  MemoryLayers cross_attention;
  Norm norm1, norm2, norm3;
  FeedForwardLayers feed_forward;
};

struct BoxHead {
  Dense first, second, last;
};

// Reads weights and packs them.
class LayerReader {
 public:
  // Large matrices that may be smaller take `precision`.
  // What is packed is kept in `room`.
  LayerReader(const ModelSource& source, DensePrecision precision, BlockPool& room)
      : source_(source), precision_(precision), room_(room) {}

  const ModelSettings& settings() const { return source_.description.settings.model; }
  Numbers numbers(const std::string& name) const { return source_.weights(name); }
  // For what is kept: the file may go or change.
  std::vector<float> copied(const std::string& name) const;
  // The same for large ones, kept with what is packed.
  std::span<const float> kept(const std::string& name) const;
  Norm norm(const std::string& prefix) const;
  // `prefix`.weight and .bias.
  Dense linear(const std::string& prefix, int64_t typical_rows, bool relu = false) const;
  // A matrix whose rows the caller has put together out of the weight called `name`.
  Dense pack(const std::string& name, std::span<const float> weight, std::span<const float> bias,
             int64_t inputs, int64_t typical_rows, bool relu = false) const;

  SoftmaxLayers softmax_attention(const std::string& prefix, int64_t typical_rows) const;
  FeedForwardLayers feed_forward(const std::string& prefix, int64_t typical_rows) const;

 private:
  const ModelSource& source_;
  DensePrecision precision_;
  BlockPool& room_;
};

TemporalEncoderLayers read_temporal_encoder(const LayerReader& reader);
EncoderLayer read_encoder_layer(const LayerReader& reader, int64_t index);
DecoderLayer read_decoder_layer(const LayerReader& reader, int64_t index);
BoxHead read_box_head(const LayerReader& reader, int64_t index);

// How many rows products have when one video is captioned: what packing favours.
constexpr int64_t kMemoryRows = 96;
constexpr int64_t kQueryRows = 10;

}  // namespace pdvc
