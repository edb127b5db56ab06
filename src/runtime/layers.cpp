#include "runtime/layers.h"

#include <algorithm>

#include "data/conversion.h"

namespace pdvc {
namespace {

constexpr int64_t kLongestDuration = 256;

std::vector<float> joined(std::span<const float> a, std::span<const float> b) {
  std::vector<float> both;
  both.reserve(a.size() + b.size());
  both.insert(both.end(), a.begin(), a.end());
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

// [out, in, kernel] -> [out, kernel, in]: the order in which gathered rows hold their inputs.
Numbers by_kernel_position(Numbers weight, int64_t in, int64_t kernel) {
  if (kernel == 1) return weight;
  const auto width = static_cast<size_t>(in), taps = static_cast<size_t>(kernel);
  std::vector<float> result(weight.size());
  for (size_t row = 0; row < weight.size(); row += width * taps)
    for (size_t tap = 0; tap < taps; ++tap)
      for (size_t input = 0; input < width; ++input)
        result[row + tap * width + input] = weight[row + input * taps + tap];
  return result;
}

// Row d is the bias and the weights of the first d seconds: what a vector of d ones gives.
std::vector<float> duration_table(std::span<const float> weight, std::span<const float> bias) {
  std::vector<float> table;
  std::vector<double> sum(bias.begin(), bias.end());
  for (size_t second = 0; second <= kLongestDuration; ++second) {
    table.insert(table.end(), sum.begin(), sum.end());
    for (size_t i = 0; i < sum.size() && second < kLongestDuration; ++i)
      sum[i] += weight[i * kLongestDuration + second];
  }
  return table;
}

DeformableLayers deformable_attention(const LayerReader& reader, const std::string& prefix,
                                      int64_t points, int64_t typical_rows) {
  const std::string offsets = prefix + "sampling_offsets.", weights = prefix + "attention_weights.";
  DeformableLayers layers{.points = points};
  layers.sampling =
      reader.pack(offsets + "weight",
                  joined(reader.numbers(offsets + "weight"), reader.numbers(weights + "weight")),
                  joined(reader.numbers(offsets + "bias"), reader.numbers(weights + "bias")),
                  reader.settings().hidden, typical_rows);
  layers.values = reader.linear(prefix + "value_proj", kMemoryRows);
  layers.output = reader.linear(prefix + "output_proj", typical_rows);
  return layers;
}

MemoryLayers memory_attention(const LayerReader& reader, const std::string& prefix, int64_t points,
                              int64_t typical_rows) {
  if (reader.settings().transformer == TransformerKind::ordinary)
    return reader.softmax_attention(prefix, typical_rows);
  return deformable_attention(reader, prefix, points, typical_rows);
}

}  // namespace

std::vector<float> LayerReader::copied(const std::string& name) const {
  std::vector<float> result = numbers(name).copied();
  source_.give_back();
  return result;
}

std::span<const float> LayerReader::kept(const std::string& name) const {
  const Numbers given = numbers(name);
  auto* copy = reinterpret_cast<float*>(room_.take(given.size() * sizeof(float)));
  std::ranges::copy(given.values(), copy);
  source_.give_back();
  return {copy, given.size()};
}

Norm LayerReader::norm(const std::string& prefix) const {
  return {copied(prefix + ".weight"), copied(prefix + ".bias")};
}

Dense LayerReader::pack(const std::string& name, std::span<const float> weight,
                        std::span<const float> bias, int64_t inputs, int64_t typical_rows,
                        bool relu) const {
  const auto outputs = static_cast<int64_t>(weight.size()) / inputs;
  const bool smaller = may_be_smaller(name, {outputs, inputs});
  Dense layer(weight, bias, inputs,
              {.precision = smaller ? precision_ : DensePrecision::f32,
               .relu = relu,
               .typical_rows = typical_rows,
               .room = &room_});
  source_.give_back();
  return layer;
}

Dense LayerReader::linear(const std::string& prefix, int64_t typical_rows, bool relu) const {
  const Numbers bias = numbers(prefix + ".bias"), weight = numbers(prefix + ".weight");
  return pack(prefix + ".weight", weight, bias, static_cast<int64_t>(weight.size() / bias.size()),
              typical_rows, relu);
}

SoftmaxLayers LayerReader::softmax_attention(const std::string& prefix,
                                             int64_t typical_rows) const {
  const std::string name = prefix + "in_proj_weight";
  const Numbers weight = numbers(name), bias = numbers(prefix + "in_proj_bias");
  const size_t width = bias.size() / 3;
  const auto part = [&](size_t index) {
    return pack(name, weight.values().subspan(index * width * width, width * width),
                bias.values().subspan(index * width, width), static_cast<int64_t>(width),
                typical_rows);
  };
  return {part(0), part(1), part(2), linear(prefix + "out_proj", typical_rows)};
}

FeedForwardLayers LayerReader::feed_forward(const std::string& prefix, int64_t typical_rows) const {
  return {linear(prefix + "linear1", typical_rows, /*relu=*/true),
          linear(prefix + "linear2", typical_rows)};
}

TemporalEncoderLayers read_temporal_encoder(const LayerReader& reader) {
  const ModelSettings& s = reader.settings();
  TemporalEncoderLayers layers;
  for (int64_t level = 0; level < s.levels; ++level) {
    const std::string prefix = "base_encoder.input_proj." + std::to_string(level);
    const int64_t in = level < 2 ? s.feature_width : s.hidden, kernel = level == 0 ? 1 : 3;
    const std::string name = prefix + ".0.weight";
    layers.levels.push_back(
        {reader.pack(name, by_kernel_position(reader.numbers(name), in, kernel),
                     reader.numbers(prefix + ".0.bias"), kernel * in, kMemoryRows),
         reader.norm(prefix + ".1"), kernel});
  }
  const std::string duration = "base_encoder.pos_embed.duration_embed_layer.";
  layers.durations =
      duration_table(reader.numbers(duration + "weight"), reader.numbers(duration + "bias"));
  return layers;
}

EncoderLayer read_encoder_layer(const LayerReader& reader, int64_t index) {
  const std::string prefix = "transformer.encoder.layers." + std::to_string(index) + ".";
  return {memory_attention(reader, prefix + "self_attn.", reader.settings().encoder_points,
                           kMemoryRows),
          reader.norm(prefix + "norm1"), reader.norm(prefix + "norm2"),
          reader.feed_forward(prefix, kMemoryRows)};
}

DecoderLayer read_decoder_layer(const LayerReader& reader, int64_t index) {
  const ModelSettings& s = reader.settings();
  const std::string prefix = "transformer.decoder.layers." + std::to_string(index) + ".";
  DecoderLayer layer{reader.softmax_attention(prefix + "self_attn.", kQueryRows),
                     memory_attention(reader, prefix + "cross_attn.", s.decoder_points, kQueryRows),
                     reader.norm(prefix + "norm1"),
                     reader.norm(prefix + "norm2"),
                     reader.norm(prefix + "norm3"),
                     reader.feed_forward(prefix, kQueryRows)};
  if (auto* deformable = std::get_if<DeformableLayers>(&layer.cross_attention))
    deformable->even = s.supervision == Supervision::captions;
  return layer;
}

BoxHead read_box_head(const LayerReader& reader, int64_t index) {
  const std::string prefix = "bbox_head." + std::to_string(index) + ".layers.";
  return {reader.linear(prefix + "0", kQueryRows, /*relu=*/true),
          reader.linear(prefix + "1", kQueryRows, /*relu=*/true),
          reader.linear(prefix + "2", kQueryRows)};
}

}  // namespace pdvc
