// One clip of r2plus1d_34 against the floor of its convolutions: their arithmetic at the speed that
// oneDNN reaches on the best of them in the same run. The other networks beside it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/parallel.h"
#include "kernels/convolution_network.h"
#include "measure.h"
#include "video/backbones.h"
#include "video/formula_weights.h"

namespace pdvc {
namespace {

constexpr int kRounds = 5;

// The convolutions of R(2+1)D where most of its work is: [inputs, outputs], size, kernel.
struct Layer {
  int64_t inputs, outputs, time, side;
  bool over_time;
};
constexpr Layer kLayers[] = {{64, 144, 16, 56, false}, {144, 64, 16, 56, true},
                             {128, 288, 8, 28, false}, {288, 128, 8, 28, true},
                             {256, 576, 4, 14, false}, {576, 256, 4, 14, true},
                             {512, 1152, 2, 7, false}, {1152, 512, 2, 7, true}};

// One convolution, ready to run.
class Single {
 public:
  Single(const Layer& layer, int threads) : network_(threads) {
    const VolumeShape shape{layer.inputs, {layer.time, layer.side, layer.side}};
    const Window window = layer.over_time ? centred({3, 1, 1}, {1, 1, 1}, {1, 0, 0})
                                          : centred({1, 3, 3}, {1, 1, 1}, {0, 1, 1});
    const std::vector<float> weights(
        static_cast<size_t>(layer.outputs * layer.inputs * window.kernel.product()), 0.01f),
        bias(static_cast<size_t>(layer.outputs), 0.1f);
    const auto x = network_.input(shape);
    const auto y = network_.convolve(x, {.window = window,
                                         .outputs = layer.outputs,
                                         .weights = weights,
                                         .bias = bias,
                                         .activation = Activation::relu});
    network_.finish(y);
    input_.assign(static_cast<size_t>(shape.elements()), 0.5f);
    output_.resize(static_cast<size_t>(network_.result_shape().elements()));
  }

  // Without the conversions before and after it.
  double seconds() {
    network_.run(input_, output_);
    double best = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<double> steps = network_.timed_run(input_, output_);
      best = std::min(best, *std::ranges::max_element(steps));
    }
    return best;
  }
  double flops() const { return network_.flops(); }

 private:
  ConvolutionNetwork network_;
  std::vector<float> input_, output_;
};

double best_throughput(int threads) {
  double best = 0;
  for (const Layer& layer : kLayers) {
    Single single(layer, threads);
    const double seconds = single.seconds();
    fmt::print("  {:4} -> {:4} {}: {:6.2f} ms, {:.0f} GFLOP/s\n", layer.inputs, layer.outputs,
               layer.over_time ? "over time   " : "over picture", seconds * 1e3,
               single.flops() / seconds / 1e9);
    best = std::max(best, single.flops() / seconds);
  }
  return best;
}

std::vector<ClipFramePointer> clip_of(const Backbone& backbone, size_t side) {
  return formula_clip(static_cast<size_t>(backbone.frames), side, {0.01, 0.01, 0.01}, {-1, -1, -1});
}

void check_golden(ClipEncoder& encoder) {
  constexpr std::array<double, 3> kMean = {0.43216, 0.394666, 0.37645},
                                  kDeviation = {0.22803, 0.22145, 0.216989};
  std::array<double, 3> scale{}, shift{};
  for (size_t c = 0; c < 3; ++c) {
    scale[c] = 1 / (255 * kDeviation[c]);
    shift[c] = -kMean[c] / kDeviation[c];
  }
  std::vector<float> row(static_cast<size_t>(encoder.description().width));
  encoder.encode(formula_clip(16, 112, scale, shift), row);
  const MappedFile file(PDVC_GOLDEN_BACKBONES);
  const Json golden =
      parse_json(as_text(file.bytes()), "golden")[encoder.description().name]["features"];
  const auto step = golden["step"].get<size_t>();
  for (size_t i = 0; i < golden["values"].size(); ++i) {
    const auto expected = golden["values"][i].get<double>();
    check(std::abs(row[i * step] - expected) <=
              1e-3 * std::max(std::abs(expected), golden["mean_abs"].get<double>()),
          "feature ", i * step, " is ", row[i * step], " (expected ", expected, ")");
  }
}

void report(const BackboneKind& kind, size_t side, int threads) {
  const FormulaWeights weights({{"mean", {0, 0, 0}}});
  const auto encoder = kind.make(&weights, {.threads = threads, .clips = {}});
  const auto clip = clip_of(encoder->description(), side);
  std::vector<float> row(static_cast<size_t>(encoder->description().width));
  encoder->encode(clip, row);
  const double seconds = best_seconds(kRounds, {[&] { encoder->encode(clip, row); }})[0];
  fmt::print("{}: {:.0f} ms a clip of {} frames\n", kind.name, seconds * 1e3,
             encoder->description().frames);
}

void report_floor(int threads) {
  const FormulaWeights weights;
  const auto encoder = r2plus1d_34().make(&weights, {.threads = threads, .clips = {}});
  check_golden(*encoder);
  const auto clip = clip_of(encoder->description(), 112);
  std::vector<float> row(512);
  const double before = best_throughput(threads);
  const double seconds = best_seconds(kRounds, {[&] { encoder->encode(clip, row); }})[0];
  const double throughput = std::max(before, best_throughput(threads));
  const double flops = encoder->flops();
  fmt::print(
      "r2plus1d_34: {:.0f} ms a clip, {:.1f} GFLOP, {:.0f} GFLOP/s; best layer {:.0f} GFLOP/s: "
      "{:.2f} "
      "of the floor (limit 1.5)\n",
      seconds * 1e3, flops / 1e9, flops / seconds / 1e9, throughput / 1e9,
      seconds / (flops / throughput));
}

}  // namespace
}  // namespace pdvc

int main() try {
  const int threads = pdvc::available_threads();
  fmt::print("video networks on {} threads\n", threads);
  pdvc::report_floor(threads);
  pdvc::report(pdvc::r2plus1d_18(), 112, threads);
  pdvc::report(pdvc::c3d(), 112, threads);
  pdvc::report(pdvc::i3d(), 224, threads);
  pdvc::report(pdvc::efficientnet_lite0(), 224, threads);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_backbone: {}\n", error.what());
  return 1;
}
