#include "shapes/outline.h"

#include <array>
#include <cstdlib>

#include "shapes/fixed_point.h"

namespace pdvc {
namespace {

// Parts of the radius, in thousandths.
constexpr int32_t part(int32_t thousandths) { return kUnitRadius * thousandths / 1000; }

bool within(int32_t x, int32_t y, int32_t radius) {
  return int64_t{x} * x + int64_t{y} * y <= int64_t{radius} * radius;
}

// The side towards the middle of a line that lies `distance` away in direction `angle` from
// straight up, clockwise.
bool behind_line(int32_t x, int32_t y, int32_t angle, int32_t distance) {
  return int64_t{x} * sine(angle) - int64_t{y} * cosine(angle) <= int64_t{distance} * kOne;
}

bool in_triangle(int32_t x, int32_t y) {
  for (int edge = 0; edge < 3; ++edge)
    if (!behind_line(x, y, kTurn / 6 + edge * kTurn / 3, part(500))) return false;
  return true;
}

// Five long lines make a star's points: its inside is where at most one of them is crossed.
bool in_star(int32_t x, int32_t y) {
  int crossed = 0;
  for (int line = 0; line < 5; ++line) crossed += !behind_line(x, y, line * kTurn / 5, part(380));
  return crossed <= 1 && within(x, y, part(1250));
}

bool in_cross(int32_t x, int32_t y) {
  const int32_t across = std::abs(x), along = std::abs(y);
  return (across <= part(310) && along <= part(960)) || (along <= part(310) && across <= part(960));
}

// Two round lobes and a wedge below them.
bool in_heart(int32_t x, int32_t y) {
  const int32_t across = std::abs(x);
  if (within(across - part(460), y + part(320), part(500))) return true;
  return y >= -part(100) && int64_t{105} * across + int64_t{90} * y <= int64_t{90} * part(950);
}

}  // namespace

bool inside(ShapeKind shape, int32_t x, int32_t y) {
  switch (shape) {
    case ShapeKind::circle:
      return within(x, y, part(900));
    case ShapeKind::square:
      return std::abs(x) <= part(780) && std::abs(y) <= part(780);
    case ShapeKind::triangle:
      return in_triangle(x, y);
    case ShapeKind::star:
      return in_star(x, y);
    case ShapeKind::cross:
      return in_cross(x, y);
    case ShapeKind::ring:
      return within(x, y, part(950)) && !within(x, y, part(560));
    case ShapeKind::bar:
      return std::abs(x) <= part(1000) && std::abs(y) <= part(310);
    case ShapeKind::heart:
      return in_heart(x, y);
  }
  return false;
}

}  // namespace pdvc
