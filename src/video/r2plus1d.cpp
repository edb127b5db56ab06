// R(2+1)D: each three-dimensional convolution is one over the picture and one over time. The
// 34-layer network as TSP trains it, the 18-layer one as torchvision does.
#include <array>
#include <optional>

#include "base/error.h"
#include "video/backbones.h"
#include "video/network_encoder.h"

namespace pdvc {
namespace {

using Volume = ConvolutionNetwork::Volume;

struct Layout {
  std::array<int64_t, 4> blocks;
  bool middle_by_block;  // how wide a factored convolution is between its parts
  double epsilon;
};

constexpr std::array<int64_t, 4> kWidths = {64, 128, 256, 512};

// So wide that the factored convolution has as many weights as the whole one would have.
int64_t middle_width(int64_t inputs, int64_t outputs) {
  return inputs * outputs * 27 / (inputs * 9 + 3 * outputs);
}

FramePlan frame_plan() {
  FramePlan plan{.resized = {171, 128}, .crop = {112, 112}, .crop_from = {30, 8}};
  constexpr std::array<float, 3> kMean = {0.43216f, 0.394666f, 0.37645f},
                                 kDeviation = {0.22803f, 0.22145f, 0.216989f};
  for (size_t c = 0; c < 3; ++c) {
    plan.scale[c] = 1 / (255 * kDeviation[c]);
    plan.shift[c] = -kMean[c] / kDeviation[c];
  }
  return plan;
}

class Builder {
 public:
  Builder(const WeightSource& source, const Layout& layout, ConvolutionNetwork& network)
      : source_(source), layout_(layout), network_(network) {}

  void build(const VolumeShape& input) {
    Volume x = network_.input(input);
    x = convolve(x, {"stem.0", "stem.1", 45, centred({1, 7, 7}, {1, 2, 2}, {0, 3, 3})});
    x = convolve(x, {"stem.3", "stem.4", 64, centred({3, 1, 1}, {1, 1, 1}, {1, 0, 0})});
    for (size_t stage = 0; stage < kWidths.size(); ++stage)
      for (int64_t i = 0; i < layout_.blocks[stage]; ++i)
        x = block(x, "layer" + std::to_string(stage + 1) + "." + std::to_string(i), kWidths[stage],
                  stage > 0 && i == 0 ? 2 : 1);
    network_.finish(x);
  }

 private:
  struct Unit {
    std::string convolution, norm;
    int64_t outputs;
    Window window;
    Activation activation = Activation::relu;
  };

  Volume convolve(Volume x, const Unit& unit, std::optional<Volume> sum = std::nullopt) {
    const Extent& kernel = unit.window.kernel;
    const auto weights = source_.get(
        unit.convolution + ".weight",
        {unit.outputs, network_.shape(x).channels, kernel.time, kernel.rows, kernel.columns});
    const FoldedWeights fold =
        folded(weights.floats(), read_norm(source_, unit.norm, unit.outputs, layout_.epsilon));
    const Convolution convolution{.window = unit.window,
                                  .outputs = unit.outputs,
                                  .weights = fold.weights,
                                  .bias = fold.bias,
                                  .activation = unit.activation};
    return sum ? network_.convolve_onto(x, convolution, *sum) : network_.convolve(x, convolution);
  }

  // Over the picture, then over time.
  Volume factored(Volume x, const std::string& name, int64_t middle, int64_t outputs,
                  int64_t stride, std::optional<Volume> sum) {
    const Volume between = convolve(x, {name + ".0.0", name + ".0.1", middle,
                                        centred({1, 3, 3}, {1, stride, stride}, {0, 1, 1})});
    return convolve(
        between,
        {name + ".0.3", name + ".1", outputs, centred({3, 1, 1}, {stride, 1, 1}, {1, 0, 0})}, sum);
  }

  Volume block(Volume x, const std::string& name, int64_t outputs, int64_t stride) {
    const int64_t inputs = network_.shape(x).channels;
    const int64_t first = middle_width(inputs, outputs);
    const int64_t second = layout_.middle_by_block ? first : middle_width(outputs, outputs);
    const Volume half = factored(x, name + ".conv1", first, outputs, stride, std::nullopt);
    Volume shortcut = x;
    if (stride != 1 || inputs != outputs)
      shortcut =
          convolve(x, {name + ".downsample.0", name + ".downsample.1", outputs,
                       centred({1, 1, 1}, {stride, stride, stride}, {0, 0, 0}), Activation::none});
    return factored(half, name + ".conv2", second, outputs, 1, shortcut);
  }

  const WeightSource& source_;
  const Layout& layout_;
  ConvolutionNetwork& network_;
};

class R2Plus1d : public NetworkEncoder {
 public:
  R2Plus1d(const char* name, const Layout& layout, const WeightSource& source,
           const BackboneOptions& options)
      : NetworkEncoder(described(name, options), frame_plan()), network_(options.threads) {
    check(description_.frames > 1, name, ": needs clips of several frames, got ",
          description_.frames);
    Builder(source, layout, network_).build(input_shape());
    volume_.resize(static_cast<size_t>(network_.result_shape().elements()));
  }

  double flops() const override { return network_.flops(); }

  void encode(std::span<const ClipFramePointer> clip, std::span<float> row) override {
    network_.run(gathered_input(clip), volume_);
    channel_means(volume_, row);
  }

 private:
  ConvolutionNetwork network_;
  std::vector<float> volume_;
};

}  // namespace

BackboneKind r2plus1d_34() {
  return {.name = "r2plus1d_34",
          .landmark = "stem.0.weight",
          .classes = "",
          .make = [](const WeightSource* weights,
                     const BackboneOptions& options) -> std::unique_ptr<ClipEncoder> {
            const Layout layout{{3, 4, 6, 3}, false, 1e-3};
            return std::make_unique<R2Plus1d>("r2plus1d_34", layout, *weights, options);
          }};
}

BackboneKind r2plus1d_18() {
  return {.name = "r2plus1d_18",
          .landmark = "stem.0.weight",
          .classes = "",
          .make = [](const WeightSource* weights,
                     const BackboneOptions& options) -> std::unique_ptr<ClipEncoder> {
            const Layout layout{{2, 2, 2, 2}, true, 1e-5};
            return std::make_unique<R2Plus1d>("r2plus1d_18", layout, *weights, options);
          }};
}

}  // namespace pdvc
