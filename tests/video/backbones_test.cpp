#include "video/backbones.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/cache.h"
#include "base/parallel.h"
#include "formula_weights.h"
#include "support/files.h"
#include "support/golden_rows.h"
#include "tensor/checkpoint_writer.h"
#include "video/clip_stream.h"
#include "video/extraction.h"

namespace pdvc {
namespace {

constexpr std::array<double, 3> kMean = {0.43216, 0.394666, 0.37645},
                                kDeviation = {0.22803, 0.22145, 0.216989};

std::vector<ClipFramePointer> kinetics_clip() {
  std::array<double, 3> scale{}, shift{};
  for (size_t c = 0; c < 3; ++c) {
    scale[c] = 1 / (255 * kDeviation[c]);
    shift[c] = -kMean[c] / kDeviation[c];
  }
  return formula_clip(16, 112, scale, shift);
}

std::vector<float> encoded(ClipEncoder& encoder, std::span<const ClipFramePointer> clip) {
  std::vector<float> row(static_cast<size_t>(encoder.description().width));
  encoder.encode(clip, row);
  return row;
}

void expect_golden(const std::vector<float>& row, const std::string& backbone,
                   const std::string& output) {
  const Json golden = read_golden(test_file("video/backbones.json"))[backbone][output];
  ASSERT_EQ(row.size(), golden["count"].get<size_t>());
  const auto step = golden["step"].get<size_t>();
  const auto mean = golden["mean_abs"].get<double>();
  double sum = 0;
  for (const float x : row) sum += std::abs(static_cast<double>(x));
  EXPECT_NEAR(sum / static_cast<double>(row.size()), mean, 1e-3 * mean);
  for (size_t i = 0; i < golden["values"].size(); ++i) {
    const auto expected = golden["values"][i].get<double>();
    ASSERT_NEAR(row[i * step], expected, 1e-3 * std::max(std::abs(expected), mean)) << i * step;
  }
}

BackboneOptions options_of(const std::string& output = "features") {
  return {.output = output, .threads = available_threads(), .clips = {}};
}

}  // namespace

TEST(Backbones, R2Plus1d34GivesTheGoldenFeatures) {
  const FormulaWeights weights;
  const auto encoder = r2plus1d_34().make(&weights, options_of());
  expect_golden(encoded(*encoder, kinetics_clip()), "r2plus1d_34", "features");
}

TEST(Backbones, R2Plus1d18GivesTheGoldenFeatures) {
  const FormulaWeights weights;
  const auto encoder = r2plus1d_18().make(&weights, options_of());
  const auto clip = kinetics_clip();
  expect_golden(encoded(*encoder, clip), "r2plus1d_18", "features");
  EXPECT_EQ(encoded(*encoder, clip), encoded(*encoder, clip)) << "memory that steps share";
}

TEST(Backbones, C3dGivesTheGoldenFeatures) {
  const FormulaWeights weights({{"mean", {0, 0, 0}}});
  const auto encoder = c3d().make(&weights, options_of());
  expect_golden(
      encoded(*encoder, formula_clip(16, 112, {1 / 64.0, 1 / 64.0, 1 / 64.0}, {-2, -2, -2})), "c3d",
      "features");
}

TEST(Backbones, C3dTakesTheMeanFromItsWeights) {
  const FormulaWeights without, with({{"mean", {-2, -2, -2}}}), at_zero({{"mean", {0, 0, 0}}});
  EXPECT_THAT(error_of([&] { c3d().make(&without, options_of()); }),
              testing::HasSubstr("have no mean"));
  const auto shifted = c3d().make(&with, options_of()), plain = c3d().make(&at_zero, options_of());
  EXPECT_EQ(encoded(*shifted, formula_clip(16, 112, {1, 1, 1}, {-2, -2, -2})),
            encoded(*plain, formula_clip(16, 112, {1, 1, 1}, {0, 0, 0})));
}

TEST(Backbones, I3dGivesTheGoldenFeaturesAndScores) {
  const FormulaWeights weights;
  BackboneOptions options = options_of();
  options.clips = known_backbone("i3d");
  options.clips->frames = 16;
  const auto clip = formula_clip(16, 224, {2 / 255.0, 2 / 255.0, 2 / 255.0}, {-1, -1, -1});
  expect_golden(encoded(*i3d().make(&weights, options), clip), "i3d", "features");
  options.output = "scores";
  expect_golden(encoded(*i3d().make(&weights, options), clip), "i3d", "scores");
}

TEST(Backbones, EfficientNetGivesTheGoldenFeaturesAndScores) {
  const FormulaWeights weights;
  const double shift = -127 / 128.0;
  const auto clip = formula_clip(1, 224, {1 / 128.0, 1 / 128.0, 1 / 128.0}, {shift, shift, shift});
  for (const char* output : {"features", "scores"})
    expect_golden(encoded(*efficientnet_lite0().make(&weights, options_of(output)), clip),
                  "efficientnet_lite0", output);
}

TEST(Backbones, SaysWhatItKnowsAndWhatIsMissing) {
  EXPECT_THAT(error_of([] { load_backbone("vgg", "", {}); }),
              testing::HasSubstr("vgg: is no backbone (expected one of r2plus1d_34"));
  EXPECT_THAT(error_of([] { load_backbone("c3d", "", {.output = "scores", .clips = {}}); }),
              testing::HasSubstr("gives no scores"));
  const TemporaryFolder folder;
  Array other(DType::f32, {2});
  write_checkpoint(folder / "a.pth", 0, {{"other", other.view()}});
  EXPECT_THAT(error_of([&] { load_backbone("c3d", folder / "a.pth", {}); }),
              testing::HasSubstr("a.pth: holds none of the network's weights (expected a tensor "
                                 "conv1.weight)"));
  Array wrong(DType::f32, {2, 2});
  write_checkpoint(folder / "b.pth", 0, {{"features.stem.0.weight", wrong.view()}});
  EXPECT_THAT(error_of([&] { load_backbone("r2plus1d_34", folder / "b.pth", {}); }),
              testing::HasSubstr("b.pth: tensor model/features.stem.0.weight has shape [2, 2] "
                                 "(expected [45, 3, 1, 7, 7])"));
}

}  // namespace pdvc
