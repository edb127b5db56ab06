#include "shapes/background.h"

#include "shapes/random.h"

namespace pdvc {
namespace {

constexpr int32_t kMixed = 256;  // all of the second colour

int32_t floor_divided(int32_t a, int32_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

// A random height for each corner of a grid.
int32_t corner(const Background& background, int32_t column, int32_t row) {
  const uint64_t place =
      static_cast<uint64_t>(static_cast<uint32_t>(column)) << 32 | static_cast<uint32_t>(row);
  return Random(background.seed).branch(place).below(kMixed + 1);
}

// Heights between the corners by straight lines, along x and then along y.
int32_t cloud(const Background& background, int32_t x, int32_t y) {
  const int32_t grain = background.grain * 2;
  const int32_t column = floor_divided(x, grain), row = floor_divided(y, grain);
  const int32_t right = x - column * grain, down = y - row * grain;
  const auto along = [&](int32_t at) {
    return (corner(background, column, at) * (grain - right) +
            corner(background, column + 1, at) * right) /
           grain;
  };
  return (along(row) * (grain - down) + along(row + 1) * down) / grain;
}

// How much of the second colour there is at a point.
int32_t mixture(const Background& background, int32_t x, int32_t y) {
  const int32_t column = floor_divided(x, background.grain);
  const int32_t row = floor_divided(y, background.grain);
  switch (background.texture) {
    case Texture::plain:
      return 0;
    case Texture::gradient:
      return y * kMixed / kStageHeight;
    case Texture::stripes:
      return (floor_divided(x + y, background.grain) & 1) * kMixed;
    case Texture::checks:
      return ((column + row) & 1) * kMixed;
    case Texture::clouds:
      return cloud(background, x, y);
  }
  return 0;
}

uint8_t mixed(int first, int second, int32_t share) {
  return static_cast<uint8_t>((first * (kMixed - share) + second * share) / kMixed);
}

}  // namespace

std::vector<uint8_t> draw_background(const Background& background, int width, int height,
                                     int32_t units, int32_t left) {
  std::vector<uint8_t> pixels;
  pixels.reserve(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const int32_t share =
          mixture(background, left + column * units + units / 2, row * units + units / 2);
      pixels.push_back(mixed(background.first.red, background.second.red, share));
      pixels.push_back(mixed(background.first.green, background.second.green, share));
      pixels.push_back(mixed(background.first.blue, background.second.blue, share));
    }
  return pixels;
}

}  // namespace pdvc
