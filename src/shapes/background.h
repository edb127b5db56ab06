// What is behind the shapes: dull colours, so that the shapes stand out by theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "shapes/scene.h"

namespace pdvc {

// RGB, `width` by `height` pixels of which `units` units make one; the left edge is at `left`
// units.
std::vector<uint8_t> draw_background(const Background& background, int width, int height,
                                     int32_t units, int32_t left);

}  // namespace pdvc
