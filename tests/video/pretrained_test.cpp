// The packaged networks, where `pdvc fetch` has put their weights, on the formula clip and on real
// frames.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/cache.h"
#include "base/parallel.h"
#include "formula_weights.h"
#include "support/files.h"
#include "support/golden_rows.h"
#include "tensor/checkpoint.h"
#include "tensor/safetensors.h"
#include "video/backbones.h"
#include "video/clip_stream.h"

namespace pdvc {
namespace {

std::filesystem::path weights_of(const std::string& name) {
  return cache_folder() / "weights" / name;
}

#define PDVC_NEEDS_WEIGHTS(name)                  \
  if (!std::filesystem::exists(weights_of(name))) \
  GTEST_SKIP() << "needs weights/" << (name) << " in the cache (get it with: pdvc fetch)"

Json golden(const std::string& network, const std::string& part) {
  return read_golden(shared_file("golden/video/pretrained.json"))[network][part];
}

std::vector<float> row_of(ClipEncoder& encoder, std::span<const ClipFramePointer> clip) {
  std::vector<float> row(static_cast<size_t>(encoder.description().width));
  encoder.encode(clip, row);
  return row;
}

void expect_close(const std::vector<float>& row, const Json& expected) {
  ASSERT_EQ(row.size(), expected.size());
  double mean = 0;
  for (const Json& value : expected) mean += std::abs(value.get<double>());
  mean /= static_cast<double>(row.size());
  for (size_t i = 0; i < row.size(); ++i) {
    const auto value = expected[i].get<double>();
    ASSERT_NEAR(row[i], value, 1e-3 * std::max(std::abs(value), mean)) << i;
  }
}

double cosine(const std::vector<float>& row, const Json& expected) {
  double dot = 0, a = 0, b = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const double x = row[i], y = expected[i].get<double>();
    dot += x * y;
    a += x * x;
    b += y * y;
  }
  return dot / std::sqrt(a * b);
}

size_t best_of(const std::vector<float>& row) {
  return static_cast<size_t>(std::ranges::max_element(row) - row.begin());
}

BackboneOptions options_of(const std::string& output, int64_t frames, const std::string& name) {
  BackboneOptions options{
      .output = output, .threads = available_threads(), .clips = known_backbone(name)};
  options.clips->frames = options.clips->stride = frames;
  return options;
}

// Clip `index` of the weight-lifting video.
PreparedClip real_clip(ClipEncoder& encoder, int64_t index) {
  ClipStream clips(open_video(shared_file("data/video/v_GGSY1Qvo990.mp4"), 2), encoder);
  for (int64_t i = 0; i < index; ++i) clips.next();
  return clips.next().value();
}

}  // namespace

TEST(Pretrained, I3dOnTheFormulaClip) {
  PDVC_NEEDS_WEIGHTS("i3d.ckpt");
  PDVC_NEEDS_SHARED("golden/video/pretrained.json");
  const auto encoder = load_backbone("i3d", "", options_of("features", 16, "i3d"));
  const auto clip = formula_clip(16, 224, {2 / 255.0, 2 / 255.0, 2 / 255.0}, {-1, -1, -1});
  expect_close(row_of(*encoder, clip), golden("i3d", "package_weights")["features"]);
}

TEST(Pretrained, EfficientNetOnTheFormulaClip) {
  PDVC_NEEDS_WEIGHTS("efficientnet_lite0.pth");
  PDVC_NEEDS_SHARED("golden/video/pretrained.json");
  const auto encoder = load_backbone("efficientnet_lite0", "", {});
  const double shift = -127 / 128.0;
  const auto clip = formula_clip(1, 224, {1 / 128.0, 1 / 128.0, 1 / 128.0}, {shift, shift, shift});
  expect_close(row_of(*encoder, clip), golden("efficientnet_lite0", "package_weights")["features"]);
}

TEST(Pretrained, I3dSeesWeightLiftingInWeightLifting) {
  PDVC_NEEDS_WEIGHTS("i3d.ckpt");
  PDVC_NEEDS_SHARED("data/video/v_GGSY1Qvo990.mp4");
  const Json expected = golden("i3d", "real_clip");
  const auto encoder = load_backbone("i3d", "", options_of("features", 64, "i3d"));
  const auto clip = real_clip(*encoder, 0);
  EXPECT_GT(cosine(row_of(*encoder, clip), expected["features"]), 0.999);
  const auto& planes = clip[0]->planes;
  for (size_t p = 0; p < expected["pixels"]["points"].size(); ++p)
    for (size_t c = 0; c < 3; ++c) {
      const Json& point = expected["pixels"]["points"][p];
      const size_t at = c * 224 * 224 + point[0].get<size_t>() * 224 + point[1].get<size_t>();
      EXPECT_NEAR((static_cast<double>(planes[at]) + 1) / 2 * 255,
                  expected["pixels"]["rgb_first_frame"][p][c].get<double>(), 2.6);
    }
  const auto scores = load_backbone("i3d", "", options_of("scores", 64, "i3d"));
  EXPECT_EQ(best_of(row_of(*scores, clip)), expected["top5"]["indices"][0].get<size_t>());
}

TEST(Pretrained, EfficientNetSeesABarbell) {
  PDVC_NEEDS_WEIGHTS("efficientnet_lite0.pth");
  PDVC_NEEDS_SHARED("data/video/v_GGSY1Qvo990.mp4");
  const Json expected = golden("efficientnet_lite0", "real_frame");
  const auto encoder = load_backbone("efficientnet_lite0", "", {});
  const auto frame = real_clip(*encoder, 5);
  EXPECT_GT(cosine(row_of(*encoder, frame), expected["features"]), 0.995);
  const auto scores = load_backbone("efficientnet_lite0", "", {.output = "scores", .clips = {}});
  EXPECT_EQ(best_of(row_of(*scores, frame)), expected["top5"]["indices"][0].get<size_t>());
}

// The same weights as safetensors, in halves of bits.
TEST(Pretrained, WeightsMayBeSafetensorsInBfloat16) {
  PDVC_NEEDS_WEIGHTS("efficientnet_lite0.pth");
  const Checkpoint checkpoint(weights_of("efficientnet_lite0.pth"));
  std::deque<Array> arrays;
  std::vector<NamedView> tensors;
  for (const CheckpointEntry& entry : checkpoint.entries())
    if (const auto* view = std::get_if<ArrayView>(&entry.value); view && is_floating(view->type))
      tensors.push_back({entry.path, arrays.emplace_back(converted(*view, DType::bf16)).view()});
  const TemporaryFolder folder;
  write_safetensors(folder / "a.safetensors", tensors, {});
  const auto rounded = load_backbone("efficientnet_lite0", folder / "a.safetensors", {});
  const auto exact = load_backbone("efficientnet_lite0", "", {});
  const auto clip = formula_clip(1, 224, {1 / 128.0, 1 / 128.0, 1 / 128.0}, {-1, -1, -1});
  const std::vector<float> a = row_of(*rounded, clip), b = row_of(*exact, clip);
  EXPECT_GT(cosine(a, Json(b)), 0.99);
  EXPECT_NE(a, b);
}

}  // namespace pdvc
