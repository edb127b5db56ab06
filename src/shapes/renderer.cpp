#include "shapes/renderer.h"

#include <algorithm>

#include "shapes/background.h"
#include "shapes/fixed_point.h"
#include "shapes/outline.h"
#include "shapes/random.h"

namespace pdvc {
namespace {

constexpr int kSamples = 4;              // along each side of a pixel that an outline crosses
constexpr size_t kNoiseBytes = 1 << 18;  // a frame starts anywhere in it
constexpr int kFractionBits = 8;         // of a pixel, in the camera's position

// Takes a point of the picture to where it lies in a shape's own coordinates.
class ToShape {
 public:
  ToShape(const Pose& pose, int32_t radius, int32_t camera)
      : x_(pose.x - camera),
        y_(pose.y),
        radius_(std::max<int64_t>(1, int64_t{radius} * pose.scale / kFullScale)),
        sine_(scaled(sine(pose.angle))),
        cosine_(scaled(cosine(pose.angle))) {}

  int64_t radius() const { return radius_; }
  bool covers(ShapeKind shape, int32_t x, int32_t y) const {
    const int64_t right = x - x_, down = y - y_;
    return inside(shape, static_cast<int32_t>((right * cosine_ + down * sine_) >> kRatioBits),
                  static_cast<int32_t>((down * cosine_ - right * sine_) >> kRatioBits));
  }

 private:
  static constexpr int kRatioBits = 20;
  int64_t scaled(int64_t value) const {
    return (value * kUnitRadius << kRatioBits) / (radius_ * kOne);
  }

  int64_t x_, y_, radius_, sine_, cosine_;
};

// How many of a pixel's samples are inside.
int covered_samples(const ToShape& to_shape, ShapeKind shape, int32_t left, int32_t top,
                    int32_t units) {
  int covered = 0;
  for (int row = 0; row < kSamples; ++row)
    for (int column = 0; column < kSamples; ++column)
      covered += to_shape.covers(shape, left + units * (2 * column + 1) / (2 * kSamples),
                                 top + units * (2 * row + 1) / (2 * kSamples));
  return covered;
}

void blend(uint8_t* pixel, const Rgb& paint, int32_t share) {
  const auto mixed = [&](uint8_t under, int over) {
    return static_cast<uint8_t>((under * (kOpaque - share) + over * share + kOpaque / 2) / kOpaque);
  };
  pixel[0] = mixed(pixel[0], paint.red);
  pixel[1] = mixed(pixel[1], paint.green);
  pixel[2] = mixed(pixel[2], paint.blue);
}

std::vector<int8_t> noise_of(const Scene& scene) {
  std::vector<int8_t> noise;
  if (scene.noise == 0) return noise;
  Random random(scene.noise_seed);
  noise.reserve(kNoiseBytes);
  for (size_t i = 0; i < kNoiseBytes; ++i)
    noise.push_back(static_cast<int8_t>(random.between(-scene.noise, scene.noise)));
  return noise;
}

}  // namespace

Renderer::Renderer(const Scene& scene)
    : scene_(scene), units_(kStageWidth / scene.width), noise_(noise_of(scene)) {
  for (const Shot& shot : scene.shots) backdrops_.push_back(backdrop_of(shot));
}

size_t Renderer::frame_bytes() const {
  return static_cast<size_t>(scene_.width) * static_cast<size_t>(scene_.height) * 3;
}

Renderer::Backdrop Renderer::backdrop_of(const Shot& shot) const {
  int32_t left = shot.camera.initial.x, right = left;
  for (const Motion& motion : shot.camera.motions) {
    left = std::min(left, motion.to.x);
    right = std::max(right, motion.to.x);
  }
  Backdrop backdrop{.left = left, .width = scene_.width + (right - left) / units_ + 2};
  backdrop.pixels =
      draw_background(shot.background, backdrop.width, scene_.height, units_, backdrop.left);
  return backdrop;
}

void Renderer::draw_backdrop(const Backdrop& backdrop, int32_t camera,
                             std::span<uint8_t> rgb) const {
  const int32_t offset = camera - backdrop.left;
  const auto skipped = static_cast<size_t>(offset / units_) * 3;
  const int fraction = (offset % units_ << kFractionBits) / units_;
  const auto row_bytes = static_cast<size_t>(scene_.width) * 3;
  for (int row = 0; row < scene_.height; ++row) {
    const uint8_t* from =
        &backdrop.pixels[static_cast<size_t>(row) * static_cast<size_t>(backdrop.width) * 3] +
        skipped;
    uint8_t* to = &rgb[static_cast<size_t>(row) * row_bytes];
    if (fraction == 0) {
      std::copy(from, from + row_bytes, to);
      continue;
    }
    for (size_t i = 0; i < row_bytes; ++i)
      to[i] = static_cast<uint8_t>(
          (from[i] * ((1 << kFractionBits) - fraction) + from[i + 3] * fraction) >> kFractionBits);
  }
}

// A pixel whose corners are all inside or all outside is taken to be so as a whole; others are
// sampled.
void Renderer::draw_actor(const Actor& actor, int frame, int32_t camera,
                          std::span<uint8_t> rgb) const {
  const Pose pose = pose_at(actor.track, frame);
  if (pose.opacity <= 0) return;
  const ToShape to_shape(pose, actor.radius, camera);
  const auto reach = static_cast<int32_t>(to_shape.radius() * 5 / 4);
  const auto pixel_of = [&](int32_t at, int limit) {
    return std::clamp(at < 0 ? 0 : at / units_, 0, limit);
  };
  const int left = pixel_of(pose.x - camera - reach, scene_.width),
            right = pixel_of(pose.x - camera + reach + units_, scene_.width),
            top = pixel_of(pose.y - reach, scene_.height),
            bottom = pixel_of(pose.y + reach + units_, scene_.height);
  if (left >= right || top >= bottom) return;
  const auto corners_of = [&](int row) {
    std::vector<char> corners;
    for (int column = left; column <= right; ++column)
      corners.push_back(to_shape.covers(actor.shape, column * units_, row * units_) ? 1 : 0);
    return corners;
  };
  std::vector<char> above = corners_of(top);
  for (int row = top; row < bottom; ++row) {
    std::vector<char> below = corners_of(row + 1);
    for (int column = left; column < right; ++column) {
      const auto i = static_cast<size_t>(column - left);
      const int corners = above[i] + above[i + 1] + below[i] + below[i + 1];
      if (corners == 0) continue;
      const int covered = corners == 4 ? kSamples * kSamples
                                       : covered_samples(to_shape, actor.shape, column * units_,
                                                         row * units_, units_);
      uint8_t* pixel = &rgb[static_cast<size_t>(row * scene_.width + column) * 3];
      blend(pixel, actor.paint, pose.opacity * covered / (kSamples * kSamples));
    }
    above = std::move(below);
  }
}

void Renderer::add_noise(int frame, std::span<uint8_t> rgb) const {
  if (noise_.empty()) return;
  size_t at = Random(scene_.noise_seed).branch(static_cast<uint64_t>(frame)).next() % kNoiseBytes;
  for (size_t done = 0; done < rgb.size();) {
    const size_t count = std::min(rgb.size() - done, kNoiseBytes - at);
    for (size_t i = 0; i < count; ++i)
      rgb[done + i] = static_cast<uint8_t>(std::clamp(rgb[done + i] + noise_[at + i], 0, 255));
    done += count;
    at = 0;
  }
}

void Renderer::draw(int frame, std::span<uint8_t> rgb) const {
  const Shot& shot = scene_.shot_at(frame);
  const Backdrop& backdrop = backdrops_[static_cast<size_t>(&shot - scene_.shots.data())];
  const int32_t camera = pose_at(shot.camera, frame).x;
  draw_backdrop(backdrop, camera, rgb);
  for (const Actor& actor : shot.actors) draw_actor(actor, frame, camera, rgb);
  add_noise(frame, rgb);
}

}  // namespace pdvc
