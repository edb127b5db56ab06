// Real files against golden/video/clips.json: frame counts, rates, clips, pixels.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/files.h"
#include "support/golden_rows.h"
#include "video/clip_stream.h"
#include "video/resize.h"

namespace pdvc {
namespace {

// Keeps what R(2+1)D sees, before mean and deviation.
class PixelKeeper : public ClipEncoder {
 public:
  const Backbone& description() const override { return description_; }
  ClipRule rule() const override { return rule_of(description_); }
  ClipFramePointer prepare(const Picture& frame) override {
    auto kept = std::make_shared<ClipFrame>();
    kept->planes.resize(3 * 112 * 112);
    resizer_.resize(frame, kept->planes);
    return kept;
  }
  void encode(std::span<const ClipFramePointer>, std::span<float>) override {}

 private:
  static FramePlan plan() {
    FramePlan plan{.resized = {171, 128}, .crop = {112, 112}, .crop_from = {30, 8}};
    plan.scale.fill(1 / 255.0f);
    return plan;
  }
  Backbone description_ = *known_backbone("r2plus1d_34");
  FrameResizer resizer_{plan()};
};

// How far a frame's mean colours and five pixels are from the golden ones, on average.
class Distance {
 public:
  void add(double value, const Json& expected) {
    sum_ += std::abs(value - expected.get<double>());
    ++count_;
  }
  double mean() const { return sum_ / count_; }

 private:
  double sum_ = 0, count_ = 0;
};

double mean_of(const ClipFrame& frame, size_t colour) {
  double sum = 0;
  for (size_t i = 0; i < 112 * 112; ++i)
    sum += static_cast<double>(frame.planes[colour * 112 * 112 + i]);
  return sum / (112 * 112);
}

void expect_pixels(const PreparedClip& clip, const Json& golden) {
  Distance means, pixels;
  for (size_t f = 0; f < clip.size(); ++f)
    for (size_t c = 0; c < 3; ++c)
      means.add(mean_of(*clip[f], c), golden["mean_rgb_per_frame"][f][c]);
  constexpr size_t kPoints[5][2] = {{0, 0}, {0, 111}, {111, 0}, {111, 111}, {56, 56}};
  for (size_t p = 0; p < 5; ++p)
    for (size_t c = 0; c < 3; ++c)
      pixels.add(
          static_cast<double>(clip[0]->planes[(c * 112 + kPoints[p][0]) * 112 + kPoints[p][1]]),
          golden["pixel_corners_frame0"][p][c]);
  EXPECT_LT(means.mean(), 0.01);
  EXPECT_LT(pixels.mean(), 0.01);
}

class GoldenClips : public testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(GoldenClips, AreTheSame) {
  const std::string name = GetParam();
  PDVC_NEEDS_SHARED("golden/video/clips.json");
  const Json golden = read_golden(shared_file("golden/video/clips.json"))[name];
  const auto path = shared_file("data/video/" + name);

  // Frames, rate and which frames make up clips.
  auto reader = open_video(path, 2);
  ASSERT_TRUE(reader->constant_rate().has_value());
  EXPECT_DOUBLE_EQ(reader->constant_rate()->value(), golden["fps"].get<double>());
  PixelKeeper encoder;
  ClipSampler sampler(encoder.rule(), reader->constant_rate());
  std::vector<ClipFrames> clips;
  int64_t frames = 0;
  while (reader->next()) {
    ++frames;
    EXPECT_EQ(reader->shown().number, reader->shown().ordinal);
    for (const ClipFrames& clip : sampler.see(reader->shown()).clips) clips.push_back(clip);
  }
  EXPECT_EQ(frames, golden["frames"].get<int64_t>());
  EXPECT_NEAR(sampler.duration(), golden["duration"].get<double>(), 1e-3);
  EXPECT_EQ(reader->damaged(), 0);
  if (golden["clips"].empty()) {
    EXPECT_EQ(clips.size(), 1u) << "filled up with the last frame";
    return;
  }
  ASSERT_EQ(clips.size(), golden["clip_first_frame"].size());
  for (size_t c = 0; c < clips.size(); ++c)
    EXPECT_EQ(clips[c][0], golden["clip_first_frame"][c].get<int64_t>());
  for (size_t c : {size_t{0}, size_t{1}})
    EXPECT_EQ(Json(c == 0 ? clips.front() : clips.back()), golden["clips"][c]["frames"]);

  ClipStream stream(open_video(path, 2), encoder);
  std::vector<PreparedClip> prepared;
  while (auto clip = stream.next()) prepared.push_back(std::move(*clip));
  ASSERT_EQ(prepared.size(), clips.size());
  if (name.starts_with("rotated")) return;  // the golden pixels lie on their side
  expect_pixels(prepared.front(), golden["clips"][0]);
  expect_pixels(prepared.back(), golden["clips"][1]);
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenClips,
                         testing::Values("big_buck_bunny.mp4", "big_buck_bunny.wmv", "divx.avi",
                                         "rotated_metadata.mp4", "sample_23976fps.mp4",
                                         "sample_322x242_15frames.yuv420p.libvpx-vp9.mp4",
                                         "sample_322x242_15frames.yuv420p.libx265.mp4",
                                         "v_GGSY1Qvo990.mp4"));

// The film lies on its side in the file; upright it is higher than wide.
TEST(RotatedVideo, IsShownUpright) {
  PDVC_NEEDS_SHARED("data/video/rotated_metadata.mp4");
  const auto reader = open_video(shared_file("data/video/rotated_metadata.mp4"), 1);
  ASSERT_TRUE(reader->next());
  EXPECT_EQ(reader->size(), (FrameSize{270, 480}));
  Picture picture;
  reader->picture({}, picture);
  EXPECT_EQ(picture.size, (FrameSize{270, 480}));
}

}  // namespace pdvc
