// EfficientNet-lite0: a small network for pictures, trained on ImageNet.
#include <array>
#include <optional>
#include <string>

#include "base/error.h"
#include "kernels/vector.h"
#include "video/backbones.h"
#include "video/network_encoder.h"

namespace pdvc {
namespace {

using Volume = ConvolutionNetwork::Volume;

constexpr double kEpsilon = 1e-3;
constexpr int64_t kClasses = 1000;
constexpr int64_t kStem = 32, kHead = 1280;

struct Stage {
  int64_t kernel, stride, expand, outputs, blocks;
};
constexpr std::array kStages = {
    Stage{3, 1, 1, 16, 1},  Stage{3, 2, 6, 24, 2},  Stage{5, 2, 6, 40, 2}, Stage{3, 2, 6, 80, 3},
    Stage{5, 1, 6, 112, 3}, Stage{5, 2, 6, 192, 4}, Stage{3, 1, 6, 320, 1}};

FramePlan frame_plan() {
  FramePlan plan{.short_side = 256, .antialias = true, .crop = {224, 224}};
  plan.scale.fill(1.0f / 128);
  plan.shift.fill(-127.0f / 128);
  return plan;
}

Backbone description_of(const BackboneOptions& options) {
  Backbone backbone = described("efficientnet_lite0", options);
  check(backbone.frames == 1, "efficientnet_lite0: takes single frames, got clips of ",
        backbone.frames);
  if (options.output == "scores") backbone.width = kClasses;
  return backbone;
}

class Builder {
 public:
  Builder(const WeightSource& source, ConvolutionNetwork& network)
      : source_(source), network_(network) {}

  void build(const VolumeShape& input) {
    Volume x = network_.input(input);
    x = convolve(x, {"_conv_stem", "_bn0", kStem, 3, 2});
    int64_t index = 0;
    for (const Stage& stage : kStages)
      for (int64_t i = 0; i < stage.blocks; ++i)
        x = block(x, "_blocks." + std::to_string(index++) + ".", stage, i == 0);
    network_.finish(convolve(x, {"_conv_head", "_bn1", kHead, 1, 1}));
  }

 private:
  struct Unit {
    std::string convolution, norm;
    int64_t outputs, kernel, stride;
    bool depthwise = false;
    Activation activation = Activation::relu6;
  };

  Volume convolve(Volume x, const Unit& unit, std::optional<Volume> sum = std::nullopt) {
    const VolumeShape& input = network_.shape(x);
    const Array weights =
        source_.get(unit.convolution + ".weight",
                    {unit.outputs, unit.depthwise ? 1 : input.channels, unit.kernel, unit.kernel});
    const FoldedWeights fold =
        folded(weights.floats(), read_norm(source_, unit.norm, unit.outputs, kEpsilon));
    const Convolution convolution{.window = same_padded(input.extent, {1, unit.kernel, unit.kernel},
                                                        {1, unit.stride, unit.stride}),
                                  .outputs = unit.outputs,
                                  .depthwise = unit.depthwise,
                                  .weights = fold.weights,
                                  .bias = fold.bias,
                                  .activation = unit.activation};
    return sum ? network_.convolve_onto(x, convolution, *sum) : network_.convolve(x, convolution);
  }

  Volume block(Volume x, const std::string& name, const Stage& stage, bool first) {
    const int64_t wide = network_.shape(x).channels * stage.expand;
    Volume y = x;
    if (stage.expand > 1) y = convolve(x, {name + "_expand_conv", name + "_bn0", wide, 1, 1});
    y = convolve(y, {name + "_depthwise_conv", name + "_bn1", wide, stage.kernel,
                     first ? stage.stride : 1, true});
    const Unit project{name + "_project_conv", name + "_bn2", stage.outputs, 1, 1, false,
                       Activation::none};
    return first ? convolve(y, project) : convolve(y, project, x);
  }

  const WeightSource& source_;
  ConvolutionNetwork& network_;
};

class EfficientNetLite0 : public NetworkEncoder {
 public:
  EfficientNetLite0(const WeightSource& source, const BackboneOptions& options)
      : NetworkEncoder(description_of(options), frame_plan()), network_(options.threads) {
    Builder(source, network_).build(input_shape());
    volume_.resize(static_cast<size_t>(network_.result_shape().elements()));
    if (options.output != "scores") return;
    classes_ = read_values(source, "_fc.weight", {kClasses, kHead});
    bias_ = read_values(source, "_fc.bias", {kClasses});
  }

  ClipRule rule() const override {
    ClipRule rule = rule_of(description_);
    rule.origin = ClipRule::Origin::video;
    return rule;
  }

  double flops() const override { return network_.flops(); }

  void encode(std::span<const ClipFramePointer> clip, std::span<float> row) override {
    network_.run(gathered_input(clip), volume_);
    if (bias_.empty()) return channel_means(volume_, row);
    std::vector<float> features(kHead);
    channel_means(volume_, features);
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = bias_[i] + vector::dot(std::span(classes_).subspan(i * kHead, kHead), features);
  }

 private:
  ConvolutionNetwork network_;
  std::vector<float> volume_, classes_, bias_;
};

}  // namespace

BackboneKind efficientnet_lite0() {
  return {.name = "efficientnet_lite0",
          .landmark = "_conv_stem.weight",
          .classes = "imagenet1k.txt",
          .make = [](const WeightSource* weights,
                     const BackboneOptions& options) -> std::unique_ptr<ClipEncoder> {
            return std::make_unique<EfficientNetLite0>(*weights, options);
          }};
}

}  // namespace pdvc
