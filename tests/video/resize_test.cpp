#include "video/resize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pdvc {
namespace {

Picture gradient(int64_t width, int64_t height) {
  Picture picture{
      {width, height}, width * 3, std::vector<uint8_t>(static_cast<size_t>(width * height * 3))};
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      picture.row(y)[3 * x] = static_cast<uint8_t>((x * 7 + y * 13) % 251);
      picture.row(y)[3 * x + 1] = static_cast<uint8_t>(x % 256);
      picture.row(y)[3 * x + 2] = static_cast<uint8_t>(y % 256);
    }
  return picture;
}

// Written from the definition: half-pixel centres, the four nearest pixels.
float sampled(const Picture& p, FrameSize to, int64_t x, int64_t y, int colour) {
  const auto place = [](int64_t o, int64_t in, int64_t out) {
    const double at =
        (static_cast<double>(o) + 0.5) * static_cast<double>(in) / static_cast<double>(out) - 0.5;
    return std::clamp(at, 0.0, static_cast<double>(in - 1));
  };
  const double sx = place(x, p.size.width, to.width), sy = place(y, p.size.height, to.height);
  const auto x0 = static_cast<int64_t>(sx), y0 = static_cast<int64_t>(sy);
  const int64_t x1 = std::min(x0 + 1, p.size.width - 1), y1 = std::min(y0 + 1, p.size.height - 1);
  const double fx = sx - static_cast<double>(x0), fy = sy - static_cast<double>(y0);
  const auto at = [&](int64_t xx, int64_t yy) {
    return static_cast<double>(p.row(yy)[3 * xx + colour]);
  };
  return static_cast<float>((1 - fy) * ((1 - fx) * at(x0, y0) + fx * at(x1, y0)) +
                            fy * ((1 - fx) * at(x0, y1) + fx * at(x1, y1)));
}

}  // namespace

TEST(Resize, IsBilinearWithCentresAtHalves) {
  const FramePlan plan{.resized = {171, 128}, .crop = {112, 112}, .crop_from = {30, 8}};
  for (const FrameSize size : {FrameSize{320, 240}, {672, 384}, {64, 48}, {171, 128}, {1, 1}}) {
    const Picture picture = gradient(size.width, size.height);
    std::vector<float> planes(static_cast<size_t>(plan.values()));
    FrameResizer resizer(plan);
    resizer.resize(picture, planes);
    for (int64_t y : {0, 1, 57, 111})
      for (int64_t x : {0, 3, 56, 111})
        for (int colour : {0, 1, 2})
          EXPECT_NEAR(planes[static_cast<size_t>((colour * 112 + y) * 112 + x)],
                      sampled(picture, plan.resized, x + 30, y + 8, colour), 1e-3)
              << size.width << " " << x << " " << y;
  }
}

TEST(Resize, ScalesEachColour) {
  FramePlan plan{.resized = {4, 4}, .crop = {2, 2}, .crop_from = {1, 1}};
  plan.scale = {2, 3, 4};
  plan.shift = {1, -1, 0};
  Picture picture{{4, 4}, 12, std::vector<uint8_t>(48, 10)};
  std::vector<float> planes(12);
  FrameResizer(plan).resize(picture, planes);
  EXPECT_EQ(planes, (std::vector<float>{21, 21, 21, 21, 29, 29, 29, 29, 40, 40, 40, 40}));
}

TEST(Resize, KeepsTheProportionsWhenTheShorterSideIsGiven) {
  const FramePlan plan{.short_side = 256, .antialias = true, .crop = {224, 224}};
  const Picture picture = gradient(320, 240);  // to 341 x 256
  std::vector<float> planes(static_cast<size_t>(plan.values()));
  FrameResizer(plan).resize(picture, planes);
  EXPECT_NEAR(planes[224 * 224 + 5 * 224 + 9], sampled(picture, {341, 256}, 58 + 9, 16 + 5, 1),
              1e-3);
}

// A comb of one-pixel stripes: its mean, whatever the phase.
TEST(Resize, LooksAtAllPixelsWhenItShrinksWithAntialiasing) {
  Picture picture{{512, 512}, 512 * 3, std::vector<uint8_t>(512 * 512 * 3)};
  for (int64_t y = 0; y < 512; ++y)
    for (int64_t x = 0; x < 512; ++x)
      for (int c = 0; c < 3; ++c) picture.row(y)[3 * x + c] = x % 2 ? 200 : 0;
  const FramePlan plan{.short_side = 64, .antialias = true, .crop = {32, 32}};
  std::vector<float> planes(static_cast<size_t>(plan.values()));
  FrameResizer(plan).resize(picture, planes);
  for (const float value : planes) EXPECT_NEAR(value, 100, 1);
}

TEST(Resize, FollowsAVideoThatChangesItsSize) {
  const FramePlan plan{.resized = {171, 128}, .crop = {112, 112}, .crop_from = {30, 8}};
  FrameResizer used(plan);
  std::vector<float> first(static_cast<size_t>(plan.values())), again = first, fresh = first;
  used.resize(gradient(320, 240), first);
  used.resize(gradient(100, 500), again);
  FrameResizer(plan).resize(gradient(100, 500), fresh);
  EXPECT_EQ(again, fresh);
}

}  // namespace pdvc
