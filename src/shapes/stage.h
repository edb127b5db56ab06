// A shot while it is being thought up: who is where when the last motion so far has ended.
#pragma once

#include <optional>

#include "shapes/random.h"
#include "shapes/scene.h"

namespace pdvc {

enum class Presence {
  waiting,  // outside; may come in
  on,
  hidden,  // behind another
  gone     // the camera has left it behind
};

// What is known of an actor beyond its track.
struct Standing {
  Presence presence = Presence::waiting;
  Pose pose;                     // at the end of its last motion
  int free_from = 0;             // the frame from which it may do something else
  std::optional<size_t> behind;  // whom it hides behind
};

class Stage {
 public:
  Stage(Shot& shot, int frames_per_second) : shot_(shot), frames_per_second_(frames_per_second) {}

  // Puts the cast in place: some on the stage, the others waiting.
  void set_up(Random& random);

  Shot& shot() { return shot_; }
  const Actor& actor(size_t i) const { return shot_.actors[i]; }
  Standing& standing(size_t i) { return standings_[i]; }
  const Standing& standing(size_t i) const { return standings_[i]; }
  size_t size() const { return standings_.size(); }
  int frames_per_second() const { return frames_per_second_; }
  int32_t camera() const { return camera_; }

  // How far an actor reaches now.
  int32_t reach(size_t i) const;
  // Free at that frame, and neither hiding another nor hidden.
  bool is_idle(size_t i, int frame) const;
  bool all_rest(int frame) const;
  // Where an actor can rest without touching others; none found: nothing.
  std::optional<Pose> free_spot(size_t i, Random& random) const;
  bool is_free(size_t i, int32_t x, int32_t y) const;
  Place place_of(const Pose& pose) const;
  // Where an actor at `pose` is just out of sight on that side.
  Pose outside(size_t i, Pose pose, Side side) const;

  void move(size_t i, const Motion& motion);
  // After its motion has ended out of sight.
  void send_away(size_t i, int frame);
  void pan(FrameSpan frames, int32_t distance);

 private:
  Shot& shot_;
  int frames_per_second_;
  int32_t camera_ = 0;
  std::vector<Standing> standings_;
};

// Shapes of different colours; none looks like one of `seen`, which it is added to.
struct Look {
  Colour colour;
  ShapeKind shape;
  bool operator==(const Look&) const = default;
};
std::vector<Actor> make_cast(std::vector<Look>& seen, Random& random);

}  // namespace pdvc
