#include "kernels/top_k.h"

#include <algorithm>

namespace pdvc {

bool comes_before(const Scored& a, const Scored& b) {
  return a.score != b.score ? a.score > b.score : a.index < b.index;
}

// Nearly all scores fail the first comparison, so a heap of the best so far costs one look each.
std::vector<Scored> top_k(std::span<const float> scores, int64_t count) {
  std::vector<Scored> kept;  // a heap with the worst in front
  for (size_t i = 0; i < scores.size() && count > 0; ++i) {
    const Scored candidate{static_cast<int64_t>(i), scores[i]};
    if (static_cast<int64_t>(kept.size()) == count) {
      if (!comes_before(candidate, kept.front())) continue;
      std::ranges::pop_heap(kept, comes_before);
      kept.pop_back();
    }
    kept.push_back(candidate);
    std::ranges::push_heap(kept, comes_before);
  }
  std::ranges::sort_heap(kept, comes_before);
  return kept;
}

}  // namespace pdvc
