// The time scales of the temporal encoder, laid end to end.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace pdvc {

// How long each level is and where it starts in the flattened positions.
struct Levels {
  std::vector<int64_t> lengths;
  std::vector<int64_t> starts;

  Levels(std::vector<int64_t> lengths_of_levels = {}) : lengths(std::move(lengths_of_levels)) {
    int64_t start = 0;
    for (const int64_t length : lengths) {
      starts.push_back(start);
      start += length;
    }
  }
  int64_t count() const { return static_cast<int64_t>(lengths.size()); }
  int64_t total() const { return std::accumulate(lengths.begin(), lengths.end(), int64_t{0}); }
};

}  // namespace pdvc
