// The best few of many scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pdvc {

struct Scored {
  int64_t index = 0;
  float score = 0;
};

// Higher scores first; of equal ones the lower index.
bool comes_before(const Scored& a, const Scored& b);

// The `count` best of the scores, best first; all of them when there are fewer.
std::vector<Scored> top_k(std::span<const float> scores, int64_t count);

}  // namespace pdvc
