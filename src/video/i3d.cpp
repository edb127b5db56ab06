// I3D on colours: Inception-v1 inflated to three dimensions, trained on Kinetics-400.
#include <array>
#include <string>

#include "base/error.h"
#include "kernels/vector.h"
#include "video/backbones.h"
#include "video/network_encoder.h"

namespace pdvc {
namespace {

using Volume = ConvolutionNetwork::Volume;

constexpr double kEpsilon = 1e-3;
constexpr int64_t kClasses = 400;
// Of the published features: a shorter rest of the video is left out, a longer one repeated.
constexpr int64_t kShortestRest = 13;

// How many channels the branches of a block have; branches 1 and 2 narrow first.
struct Mixed {
  const char* name;
  int64_t zero, one_narrow, one, two_narrow, two, three;
};
constexpr Mixed k3b{"Mixed_3b", 64, 96, 128, 16, 32, 32},
    k3c{"Mixed_3c", 128, 128, 192, 32, 96, 64}, k4b{"Mixed_4b", 192, 96, 208, 16, 48, 64},
    k4c{"Mixed_4c", 160, 112, 224, 24, 64, 64}, k4d{"Mixed_4d", 128, 128, 256, 24, 64, 64},
    k4e{"Mixed_4e", 112, 144, 288, 32, 64, 64}, k4f{"Mixed_4f", 256, 160, 320, 32, 128, 128},
    k5b{"Mixed_5b", 256, 160, 320, 32, 128, 128}, k5c{"Mixed_5c", 384, 192, 384, 48, 128, 128};

FramePlan frame_plan() {
  FramePlan plan{.short_side = 256, .antialias = true, .crop = {224, 224}};
  plan.scale.fill(2.0f / 255);
  plan.shift.fill(-1);
  return plan;
}

Backbone description_of(const BackboneOptions& options) {
  Backbone backbone = described("i3d", options);
  check(backbone.frames >= 9, "i3d: needs clips of at least 9 frames, got ", backbone.frames);
  if (options.output == "scores") backbone.width = kClasses;
  return backbone;
}

// From [time, row, column, in, out], as the file has them, to [out, in, time, row, column].
std::vector<float> outputs_first(std::span<const float> kernel, int64_t inputs, int64_t outputs) {
  const size_t in = static_cast<size_t>(inputs), out = static_cast<size_t>(outputs),
               places = kernel.size() / (in * out);
  std::vector<float> result(kernel.size());
  for (size_t place = 0; place < places; ++place)
    for (size_t i = 0; i < in; ++i)
      for (size_t o = 0; o < out; ++o)
        result[(o * in + i) * places + place] = kernel[(place * in + i) * out + o];
  return result;
}

class Builder {
 public:
  Builder(const WeightSource& source, ConvolutionNetwork& network)
      : source_(source), network_(network) {}

  void build(const VolumeShape& input) {
    Volume x = network_.input(input);
    x = unit(x, "Conv3d_1a_7x7", 64, 7, 2);
    x = pool(x, {1, 3, 3}, {1, 2, 2});
    x = unit(x, "Conv3d_2b_1x1", 64, 1);
    x = unit(x, "Conv3d_2c_3x3", 192, 3);
    x = pool(x, {1, 3, 3}, {1, 2, 2});
    for (const Mixed& block : {k3b, k3c}) x = mixed(x, block);
    x = pool(x, {3, 3, 3}, {2, 2, 2});
    for (const Mixed& block : {k4b, k4c, k4d, k4e, k4f}) x = mixed(x, block);
    x = pool(x, {2, 2, 2}, {2, 2, 2});
    for (const Mixed& block : {k5b, k5c}) x = mixed(x, block);
    network_.finish(x);
  }

 private:
  Volume unit(Volume x, const std::string& name, int64_t outputs, int64_t size,
              int64_t stride = 1) {
    const VolumeShape& input = network_.shape(x);
    const int64_t inputs = input.channels;
    const Array kernel =
        source_.get("params/" + name + "/Conv_0/kernel", {size, size, size, inputs, outputs});
    const std::string statistics = "batch_stats/" + name + "/BatchNorm_0/";
    const Shape inflated = {1, 1, 1, 1, outputs};
    const Norm norm{
        .scale = {},
        .shift = read_values(source_, "params/" + name + "/BatchNorm_0/bias", {outputs}),
        .mean = read_values(source_, statistics + "mean", inflated),
        .variance = read_values(source_, statistics + "var", inflated),
        .epsilon = kEpsilon};
    const FoldedWeights fold = folded(outputs_first(kernel.floats(), inputs, outputs), norm);
    return network_.convolve(
        x, {.window = same_padded(input.extent, {size, size, size}, {stride, stride, stride}),
            .outputs = outputs,
            .weights = fold.weights,
            .bias = fold.bias,
            .activation = Activation::relu});
  }

  // What it sees is never below 0, so that zeros around it change nothing.
  Volume pool(Volume x, const Extent& kernel, const Extent& stride) {
    return network_.max_pool(x, same_padded(network_.shape(x).extent, kernel, stride));
  }

  Volume mixed(Volume x, const Mixed& block) {
    const std::string name = block.name;
    const std::array branches = {
        unit(x, name + "/Branch_0/Conv3d_0a_1x1", block.zero, 1),
        unit(unit(x, name + "/Branch_1/Conv3d_0a_1x1", block.one_narrow, 1),
             name + "/Branch_1/Conv3d_0b_3x3", block.one, 3),
        unit(unit(x, name + "/Branch_2/Conv3d_0a_1x1", block.two_narrow, 1),
             name + "/Branch_2/Conv3d_0b_3x3", block.two, 3),
        unit(pool(x, {3, 3, 3}, {1, 1, 1}), name + "/Branch_3/Conv3d_0b_1x1", block.three, 1)};
    return network_.concatenate(branches);
  }

  const WeightSource& source_;
  ConvolutionNetwork& network_;
};

class I3d : public NetworkEncoder {
 public:
  I3d(const WeightSource& source, const BackboneOptions& options)
      : NetworkEncoder(description_of(options), frame_plan()), network_(options.threads) {
    Builder(source, network_).build(input_shape());
    const VolumeShape& result = network_.result_shape();
    volume_.resize(static_cast<size_t>(result.elements()));
    if (options.output != "scores") return;
    const std::string name = "params/Logits/Conv3d_0c_1x1/Conv_0/";
    const auto kernel = read_values(source, name + "kernel", {1, 1, 1, result.channels, kClasses});
    classes_ = outputs_first(kernel, result.channels, kClasses);
    bias_ = read_values(source, name + "bias", {kClasses});
  }

  ClipRule rule() const override {
    ClipRule rule = rule_of(description_);
    rule.origin = ClipRule::Origin::video;
    rule.shortest_rest = kShortestRest;
    return rule;
  }

  double flops() const override { return network_.flops(); }

  void encode(std::span<const ClipFramePointer> clip, std::span<float> row) override {
    network_.run(gathered_input(clip), volume_);
    if (bias_.empty()) return average(row);
    std::vector<float> features(static_cast<size_t>(network_.result_shape().channels));
    average(features);
    for (size_t i = 0; i < row.size(); ++i)
      row[i] =
          bias_[i] +
          vector::dot(std::span(classes_).subspan(i * features.size(), features.size()), features);
  }

 private:
  // The published pool averages two neighbouring steps, then all pairs: the ends count half.
  void average(std::span<float> features) const {
    const Extent& extent = network_.result_shape().extent;
    const auto steps = static_cast<size_t>(extent.time);
    const auto places = static_cast<size_t>(extent.rows * extent.columns);
    for (size_t channel = 0; channel < features.size(); ++channel) {
      double sum = 0;
      for (size_t step = 0; step < steps; ++step) {
        double of_step = 0;
        for (size_t i = 0; i < places; ++i)
          of_step += static_cast<double>(volume_[(channel * steps + step) * places + i]);
        sum += step == 0 || step + 1 == steps ? of_step / 2 : of_step;
      }
      features[channel] = static_cast<float>(sum / static_cast<double>(places * (steps - 1)));
    }
  }

  ConvolutionNetwork network_;
  std::vector<float> volume_, classes_, bias_;
};

}  // namespace

BackboneKind i3d() {
  return {.name = "i3d",
          .landmark = "params/Conv3d_1a_7x7/Conv_0/kernel",
          .classes = "kinetics400.txt",
          .make = [](const WeightSource* weights, const BackboneOptions& options)
              -> std::unique_ptr<ClipEncoder> { return std::make_unique<I3d>(*weights, options); }};
}

}  // namespace pdvc
