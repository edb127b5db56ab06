// What happens in a film of shapes, when and how: all that drawing and describing need.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace pdvc {

enum class ShapeKind { circle, square, triangle, star, cross, ring, bar, heart };
constexpr int kShapes = 8;
enum class Colour { red, orange, yellow, green, cyan, blue, purple, white };
constexpr int kColours = 8;
enum class Action {
  enter,
  leave,
  move,
  spin,
  grow,
  shrink,
  collide,
  hide,
  emerge,
  blink,
  follow,
  appear,
  vanish,
  hop,
  pan  // of the camera
};
constexpr int kActions = 15;
enum class Side { left, right, top, bottom };
enum class Turning { clockwise, counterclockwise };
enum class Pace { slow, usual, quick };
// Where in the picture, on a grid of three by three.
struct Place {
  int column = 1, row = 1;
};

// The picture is kStageWidth by kStageHeight units wherever the camera stands, whatever the film's
// size in pixels.
constexpr int32_t kStageWidth = 16384, kStageHeight = 12288;

constexpr int32_t kFullScale = 4096, kOpaque = 256;

// Where something is and how it looks at one moment.
struct Pose {
  int32_t x = 0, y = 0;  // of its middle, in units
  int32_t scale = kFullScale;
  int32_t angle = 0;  // clockwise; see fixed_point.h
  int32_t opacity = kOpaque;
};

struct FrameSpan {
  int first = 0, end = 0;  // the end is not part of it
  int count() const { return end - first; }
};

enum class MotionKind {
  glide,  // evenly from pose to pose
  blink,  // gone in the second half of each cycle
  hop     // a leap up and down each cycle
};

struct Motion {
  FrameSpan frames;
  MotionKind kind = MotionKind::glide;
  Pose from, to;
  int cycles = 0;
};

// Motions one after the other; between them, rest.
struct Track {
  Pose initial;
  std::vector<Motion> motions;
};

Pose pose_at(const Track& track, int frame);

struct Rgb {
  int red = 0, green = 0, blue = 0;
};

struct Actor {
  ShapeKind shape = ShapeKind::circle;
  Colour colour = Colour::red;
  Rgb paint;           // its shade of the colour
  int32_t radius = 0;  // in units, at full scale; larger actors are in front
  Track track;
};

enum class Texture { plain, gradient, stripes, checks, clouds };

struct Background {
  Texture texture = Texture::plain;
  Rgb first, second;
  int32_t grain = 1024;  // size of its pattern, in units
  uint64_t seed = 0;
};

// What one camera shows between two cuts.
struct Shot {
  FrameSpan frames;
  Background background;
  Track camera;               // the picture's left edge is at x
  std::vector<Actor> actors;  // the farthest first
};

// An event worth a sentence.
struct Happening {
  Action action = Action::move;
  FrameSpan frames;
  size_t shot = 0;
  // Of the shot: who does it, and with or to whom. In `follow` the second goes ahead.
  std::vector<size_t> actors;
  bool together = false;  // both do the same
  std::optional<Side> side;
  std::optional<Turning> turning;
  std::optional<Place> place;
  Pace pace = Pace::usual;
};

struct Scene {
  int width = 256, height = 192;
  int frames_per_second = 15;
  int frames = 0;
  int noise = 0;  // largest deviation of a pixel's value
  uint64_t noise_seed = 0;
  std::vector<Shot> shots;
  std::vector<Happening> happenings;  // by start

  const Shot& shot_at(int frame) const;
};

}  // namespace pdvc
