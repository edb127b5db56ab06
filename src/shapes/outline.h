// The outlines of the shapes.
#pragma once

#include "shapes/scene.h"

namespace pdvc {

constexpr int32_t kUnitRadius = 4096;

// Whether a point is inside a shape around (0, 0) that reaches about kUnitRadius far; x to the
// right, y down.
bool inside(ShapeKind shape, int32_t x, int32_t y);

}  // namespace pdvc
