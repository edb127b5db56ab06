#include "shapes/split.h"

#include <algorithm>

namespace pdvc {
namespace {

constexpr int kOneOf = 6;  // combinations that is held out

}  // namespace

bool is_held_out(Colour colour, ShapeKind shape, Action action) {
  if (action == Action::pan) return false;
  return (static_cast<int>(colour) + 2 * static_cast<int>(shape) + 5 * static_cast<int>(action)) %
             kOneOf ==
         0;
}

bool is_held_out(const Scene& scene, const Happening& happening) {
  const Shot& shot = scene.shots[happening.shot];
  return std::ranges::any_of(happening.actors, [&](size_t i) {
    return is_held_out(shot.actors[i].colour, shot.actors[i].shape, happening.action);
  });
}

}  // namespace pdvc
