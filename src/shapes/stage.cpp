#include "shapes/stage.h"

#include <algorithm>
#include <array>

#include "shapes/fixed_point.h"

namespace pdvc {
namespace {

constexpr int kTries = 40;
constexpr int32_t kSmallest = 1350, kMiddle = 1850, kLargest = 3100;  // radius, in units
constexpr int32_t kGap = 300;                                         // between two that rest
constexpr int kShade = 14;  // how far a paint strays from its colour

constexpr std::array<Rgb, kColours> kPaints{{{215, 40, 40},
                                             {236, 128, 24},
                                             {232, 216, 48},
                                             {44, 172, 64},
                                             {56, 204, 214},
                                             {48, 76, 214},
                                             {164, 56, 190},
                                             {236, 236, 236}}};

Rgb shade_of(Colour colour, Random& random) {
  const Rgb& paint = kPaints[static_cast<size_t>(colour)];
  const auto strayed = [&](int value) {
    return std::clamp(value + random.between(-kShade, kShade), 0, 255);
  };
  Rgb shade;
  shade.red = strayed(paint.red);
  shade.green = strayed(paint.green);
  shade.blue = strayed(paint.blue);
  return shade;
}

}  // namespace

void Stage::set_up(Random& random) {
  standings_.assign(shot_.actors.size(), Standing{});
  const int on = random.between(1, std::max(1, static_cast<int>(size()) - 1));
  int placed = 0;
  for (size_t i = 0; i < size(); ++i) {
    // Some shapes stand askew from the start.
    standings_[i].pose.angle = random.chance(30) ? random.below(kTurn) : 0;
    standings_[i].pose.opacity = 0;
    const bool wanted = placed < on && random.below(static_cast<int>(size() - i)) < on - placed;
    if (wanted)
      if (const auto spot = free_spot(i, random)) {
        standings_[i].presence = Presence::on;
        standings_[i].pose = *spot;
        ++placed;
      }
    shot_.actors[i].track.initial = standings_[i].pose;
  }
}

int32_t Stage::reach(size_t i) const {
  return static_cast<int32_t>(int64_t{actor(i).radius} * standings_[i].pose.scale / kFullScale);
}

bool Stage::is_idle(size_t i, int frame) const {
  if (standings_[i].free_from > frame || standings_[i].behind) return false;
  return std::ranges::none_of(standings_, [&](const Standing& other) { return other.behind == i; });
}

bool Stage::all_rest(int frame) const {
  return std::ranges::all_of(standings_,
                             [&](const Standing& one) { return one.free_from <= frame; });
}

bool Stage::is_free(size_t i, int32_t x, int32_t y) const {
  for (size_t other = 0; other < size(); ++other) {
    if (other == i || standings_[other].presence != Presence::on) continue;
    const Pose& pose = standings_[other].pose;
    const int64_t right = x - pose.x, down = y - pose.y;
    const int64_t apart = int64_t{reach(i)} + reach(other) + kGap;
    if (right * right + down * down < apart * apart) return false;
  }
  return true;
}

std::optional<Pose> Stage::free_spot(size_t i, Random& random) const {
  const int32_t margin = reach(i);
  for (int tries = 0; tries < kTries; ++tries) {
    const int32_t x = camera_ + random.between(margin, kStageWidth - margin);
    const int32_t y = random.between(margin, kStageHeight - margin);
    if (!is_free(i, x, y)) continue;
    Pose pose = standings_[i].pose;
    pose.x = x;
    pose.y = y;
    pose.opacity = kOpaque;
    return pose;
  }
  return std::nullopt;
}

Place Stage::place_of(const Pose& pose) const {
  return {.column = std::clamp((pose.x - camera_) * 3 / kStageWidth, 0, 2),
          .row = std::clamp(pose.y * 3 / kStageHeight, 0, 2)};
}

Pose Stage::outside(size_t i, Pose pose, Side side) const {
  const int32_t away = reach(i);
  if (side == Side::left) pose.x = camera_ - away;
  if (side == Side::right) pose.x = camera_ + kStageWidth + away;
  if (side == Side::top) pose.y = -away;
  if (side == Side::bottom) pose.y = kStageHeight + away;
  return pose;
}

void Stage::move(size_t i, const Motion& motion) {
  shot_.actors[i].track.motions.push_back(motion);
  standings_[i].pose = motion.to;
  standings_[i].free_from = motion.frames.end + frames_per_second_ / 3;
}

// Outside but visible, it would come into sight when the camera turns.
void Stage::send_away(size_t i, int frame) {
  Standing& one = standings_[i];
  const Pose last = one.pose;
  one.pose.opacity = 0;
  shot_.actors[i].track.motions.push_back(
      {.frames = {frame, frame + 1}, .from = last, .to = one.pose});
  one.presence = Presence::waiting;
}

void Stage::pan(FrameSpan frames, int32_t distance) {
  Motion motion{.frames = frames};
  motion.from.x = camera_;
  motion.to.x = camera_ += distance;
  shot_.camera.motions.push_back(motion);
  for (Standing& one : standings_) {
    one.free_from = std::max(one.free_from, frames.end);
    const int32_t at = one.pose.x - camera_;
    if (one.presence != Presence::waiting && (at < kSmallest || at > kStageWidth - kSmallest))
      one.presence = Presence::gone;
  }
}

std::vector<Actor> make_cast(std::vector<Look>& seen, Random& random) {
  std::array<Colour, kColours> colours{};
  for (int i = 0; i < kColours; ++i) colours[static_cast<size_t>(i)] = static_cast<Colour>(i);
  for (int i = kColours - 1; i > 0; --i)
    std::swap(colours[static_cast<size_t>(i)], colours[static_cast<size_t>(random.below(i + 1))]);
  std::vector<Actor> cast;
  const int count = random.between(3, 5);
  for (int i = 0; i < count; ++i) {
    Look look{colours[static_cast<size_t>(i)], static_cast<ShapeKind>(random.below(kShapes))};
    while (std::ranges::find(seen, look) != seen.end())
      look.shape = static_cast<ShapeKind>((static_cast<int>(look.shape) + 1) % kShapes);
    seen.push_back(look);
    Actor actor{.shape = look.shape, .colour = look.colour};
    actor.paint = shade_of(look.colour, random);
    // Small or large rather than in between: small ones can hide behind large ones.
    const bool large = random.chance(50);
    actor.radius = large ? random.between(kMiddle, kLargest) : random.between(kSmallest, kMiddle);
    cast.push_back(actor);
  }
  // Stable, so that equal ones come out the same everywhere.
  std::ranges::stable_sort(cast, {}, &Actor::radius);
  return cast;
}

}  // namespace pdvc
