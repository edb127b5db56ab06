// What shapes can do: each action finds who can do it and sets them in motion.
#pragma once

#include <optional>

#include "shapes/split.h"
#include "shapes/stage.h"

namespace pdvc {

// Which combinations of colour, shape and action may be shown.
struct Casting {
  FilmKind kind = FilmKind::training;
  bool only_held_out = false;  // of films for testing: the doer must be in such a combination

  bool may_do(const Actor& actor, Action action) const;
  bool may_take_part(const Actor& actor, Action action) const;
};

// Lets something happen in these frames; nothing when nobody can do it. Of a kind of action that
// shapes do alone, now and then two do it together.
std::optional<Happening> act(Action action, FrameSpan frames, Stage& stage, const Casting& casting,
                             Random& random);

}  // namespace pdvc
