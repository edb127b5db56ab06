// Thinks up films: who is in them, what happens and when.
#pragma once

#include "shapes/random.h"
#include "shapes/scene.h"
#include "shapes/split.h"

namespace pdvc {

constexpr int kFewestHappenings = 2, kMostHappenings = 10;
constexpr int kShortestFilm = 20, kLongestFilm = 120;  // seconds

// The same generator gives the same film.
Scene make_scene(const Random& random, FilmKind kind);

}  // namespace pdvc
