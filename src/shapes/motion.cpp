// How things move: a pose for each frame, in whole numbers.
#include <algorithm>

#include "shapes/fixed_point.h"
#include "shapes/scene.h"

namespace pdvc {
namespace {

constexpr int32_t kLeap = kStageHeight / 6;

int32_t between(int32_t from, int32_t to, int step, int steps) {
  return from + static_cast<int32_t>(int64_t{to - from} * step / steps);
}

Pose glided(const Pose& from, const Pose& to, int step, int steps) {
  return {.x = between(from.x, to.x, step, steps),
          .y = between(from.y, to.y, step, steps),
          .scale = between(from.scale, to.scale, step, steps),
          .angle = between(from.angle, to.angle, step, steps),
          .opacity = between(from.opacity, to.opacity, step, steps)};
}

Pose moved(const Motion& motion, int frame) {
  const int step = frame - motion.frames.first, steps = motion.frames.count();
  Pose pose = glided(motion.from, motion.to, step, steps);
  // Position within a cycle, as an angle.
  const auto phase = static_cast<int32_t>(int64_t{kTurn} * motion.cycles * step / steps % kTurn);
  if (motion.kind == MotionKind::blink && phase >= kTurn / 2) pose.opacity = 0;
  if (motion.kind == MotionKind::hop)
    pose.y -= static_cast<int32_t>(int64_t{kLeap} * sine(phase / 2) / kOne);
  return pose;
}

}  // namespace

Pose pose_at(const Track& track, int frame) {
  Pose pose = track.initial;
  for (const Motion& motion : track.motions) {
    if (frame < motion.frames.first) break;
    pose = frame < motion.frames.end ? moved(motion, frame) : motion.to;
  }
  return pose;
}

const Shot& Scene::shot_at(int frame) const {
  const auto later =
      std::ranges::find_if(shots, [&](const Shot& shot) { return frame < shot.frames.end; });
  return later == shots.end() ? shots.back() : *later;
}

}  // namespace pdvc
