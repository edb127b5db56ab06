// The cheapest one-to-one assignment: the Hungarian method, exact, for any rectangle of costs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pdvc {

// Matched pairs, by rising row; may be empty.
struct Assignment {
  std::vector<int64_t> rows, columns;
};

// costs [rows, columns] row-major, all finite -> min(rows, columns) pairs with the least sum. O(n^2
// m) for n <= m.
Assignment cheapest_assignment(std::span<const double> costs, int64_t rows, int64_t columns);

}  // namespace pdvc
