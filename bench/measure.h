// Timing that survives noisy machines: rounds of all contestants in turn, the best round of each
// counts.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "base/progress.h"

namespace pdvc {

inline double seconds_of(const std::function<void()>& work) {
  const double start = steady_seconds();
  work();
  return steady_seconds() - start;
}

inline std::vector<double> best_seconds(int rounds,
                                        const std::vector<std::function<void()>>& contestants) {
  std::vector<double> best(contestants.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < contestants.size(); ++i)
      best[i] = std::min(best[i], seconds_of(contestants[i]));
  return best;
}

}  // namespace pdvc
