// C3D with Sports-1M's names: eight plain convolutions and two full layers, and the projection with
// which ActivityNet's features were made.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "kernels/dense.h"
#include "kernels/vector.h"
#include "video/backbones.h"
#include "video/network_encoder.h"

namespace pdvc {
namespace {

using Volume = ConvolutionNetwork::Volume;

constexpr int64_t kFull = 4096;

struct Layer {
  const char* name;
  int64_t outputs;
  Extent pool;     // after it; 1 x 1 x 1: none
  Extent padding;  // of the pool
};
constexpr std::array kLayers = {
    Layer{"conv1", 64, {1, 2, 2}, {0, 0, 0}},   Layer{"conv2", 128, {2, 2, 2}, {0, 0, 0}},
    Layer{"conv3a", 256, {1, 1, 1}, {0, 0, 0}}, Layer{"conv3b", 256, {2, 2, 2}, {0, 0, 0}},
    Layer{"conv4a", 512, {1, 1, 1}, {0, 0, 0}}, Layer{"conv4b", 512, {2, 2, 2}, {0, 0, 0}},
    Layer{"conv5a", 512, {1, 1, 1}, {0, 0, 0}}, Layer{"conv5b", 512, {2, 2, 2}, {0, 1, 1}},
};

FramePlan frame_plan() { return {.resized = {171, 128}, .crop = {112, 112}, .crop_from = {30, 8}}; }

// The projection's rows decide how wide the features are.
Backbone description_of(const WeightSource& source, const BackboneOptions& options) {
  Backbone backbone = described("c3d", options);
  check(backbone.frames == 16, "c3d: takes clips of 16 frames, got ", backbone.frames);
  const auto components = source.shape_of("pca.components");
  backbone.width = components && !components->empty() ? components->front() : kFull;
  return backbone;
}

class C3d : public NetworkEncoder {
 public:
  C3d(const WeightSource& source, const BackboneOptions& options)
      : NetworkEncoder(description_of(source, options), frame_plan()), network_(options.threads) {
    build(source);
    volume_.resize(static_cast<size_t>(network_.result_shape().elements()));
    full_ = {full_layer(source, "fc6", network_.result_shape().elements()),
             full_layer(source, "fc7", kFull)};
    read_mean(source);
    if (!source.shape_of("pca.components")) return;
    check(description_.width > 0, "pca.components: is empty");
    components_ = read_values(source, "pca.components", {-1, kFull});
    centre_ = read_values(source, "pca.mean", {kFull});
  }

  double flops() const override { return network_.flops(); }

  void encode(std::span<const ClipFramePointer> clip, std::span<float> row) override {
    const std::span<float> input = gathered_input(clip);
    const size_t repeats = input.size() / mean_.size();  // of each entry of the mean
    for (size_t i = 0; i < mean_.size(); ++i)
      for (float& x : input.subspan(i * repeats, repeats)) x -= mean_[i];
    network_.run(input, volume_);
    std::vector<float> sixth(kFull), seventh(kFull);
    full_[0].run(volume_.data(), sixth.data(), 1, scratch_);
    full_[1].run(sixth.data(), seventh.data(), 1, scratch_);
    if (components_.empty())
      std::ranges::copy(seventh, row.begin());
    else
      project(seventh, row);
  }

 private:
  void build(const WeightSource& source) {
    Volume x = network_.input(input_shape());
    for (const Layer& layer : kLayers) {
      const std::string name = layer.name;
      const auto weights = read_values(source, name + ".weight",
                                       {layer.outputs, network_.shape(x).channels, 3, 3, 3});
      const auto bias = read_values(source, name + ".bias", {layer.outputs});
      x = network_.convolve(x, {.window = centred({3, 3, 3}, {1, 1, 1}, {1, 1, 1}),
                                .outputs = layer.outputs,
                                .weights = weights,
                                .bias = bias,
                                .activation = Activation::relu});
      if (layer.pool.product() > 1)
        x = network_.max_pool(x, centred(layer.pool, layer.pool, layer.padding));
    }
    network_.finish(x);
  }

  static Dense full_layer(const WeightSource& source, const std::string& name, int64_t inputs) {
    const Array weights = source.get(name + ".weight", {kFull, inputs});
    const auto bias = read_values(source, name + ".bias", {kFull});
    return Dense(weights.floats(), bias, inputs, {.relu = true, .typical_rows = 1});
  }

  // Of each colour, or of each pixel of a clip.
  void read_mean(const WeightSource& source) {
    const auto shape = source.shape_of("mean");
    check(shape.has_value(),
          "the weights of c3d have no mean (expected a tensor `mean`, [3] or [3, 16, 112, 112])");
    mean_ = read_values(source, "mean", shape->size() == 1 ? Shape{3} : Shape{3, 16, 112, 112});
  }

  void project(std::span<float> x, std::span<float> row) const {
    for (size_t i = 0; i < x.size(); ++i) x[i] -= centre_[i];
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = vector::dot(std::span(components_).subspan(i * kFull, kFull), x);
  }

  ConvolutionNetwork network_;
  std::array<Dense, 2> full_;
  DenseScratch scratch_;
  std::vector<float> volume_, mean_, components_, centre_;
};

}  // namespace

BackboneKind c3d() {
  return {.name = "c3d",
          .landmark = "conv1.weight",
          .classes = "",
          .make = [](const WeightSource* weights, const BackboneOptions& options)
              -> std::unique_ptr<ClipEncoder> { return std::make_unique<C3d>(*weights, options); }};
}

}  // namespace pdvc
