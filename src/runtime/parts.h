// Matrices cut by their outputs, so that threads share the work on few rows: each reads its own
// piece of the weights.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pdvc {

// Of [0, count) the piece number `index` of `parts`, in multiples of 16 but for the last.
struct Piece {
  int64_t first = 0, count = 0;
};
inline std::vector<Piece> pieces_of(int64_t count, int64_t parts) {
  constexpr int64_t kUnit = 16;
  const int64_t units = (count + kUnit - 1) / kUnit;
  std::vector<Piece> pieces;
  for (int64_t p = 0; p < parts; ++p) {
    const int64_t first = units * p / parts * kUnit, last = units * (p + 1) / parts * kUnit;
    pieces.push_back({first, std::min(last, count) - first});
  }
  std::erase_if(pieces, [](const Piece& piece) { return piece.count <= 0; });
  return pieces;
}

}  // namespace pdvc
