// Which combinations of colour, shape and action only the films for testing show.
#pragma once

#include "shapes/scene.h"

namespace pdvc {

enum class FilmKind {
  training,  // never shows a held-out combination
  testing    // shows at least one
};

// Spread so that training sees every shape in every colour and every action done by every shape and
// colour, only not all three together.
bool is_held_out(Colour colour, ShapeKind shape, Action action);

// Whether any actor of the happening is in a held-out combination.
bool is_held_out(const Scene& scene, const Happening& happening);

}  // namespace pdvc
