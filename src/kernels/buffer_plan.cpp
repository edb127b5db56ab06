#include "kernels/buffer_plan.h"

#include <algorithm>
#include <numeric>

namespace pdvc {
namespace {

// The smallest free buffer that is large enough, else the largest one, which then grows.
size_t best_free(const std::vector<size_t>& free, const std::vector<size_t>& sizes, size_t bytes) {
  const auto preferred = [&](size_t a, size_t b) {
    const bool a_fits = sizes[a] >= bytes, b_fits = sizes[b] >= bytes;
    if (a_fits != b_fits) return a_fits;
    return a_fits ? sizes[a] < sizes[b] : sizes[a] > sizes[b];
  };
  return *std::ranges::min_element(free, preferred);
}

}  // namespace

BufferPlan plan_buffers(std::span<const Lifetime> results) {
  BufferPlan plan{.buffers = std::vector<size_t>(results.size()), .sizes = {}};
  std::vector<size_t> order(results.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return results[i].first; });
  std::vector<size_t> free, living;  // buffers; results
  for (const size_t i : order) {
    const Lifetime& result = results[i];
    if (result.first > result.last) continue;
    std::erase_if(living, [&](size_t other) {
      const bool over = results[other].last < result.first;
      if (over) free.push_back(plan.buffers[other]);
      return over;
    });
    if (free.empty()) {
      free.push_back(plan.sizes.size());
      plan.sizes.push_back(0);
    }
    const size_t buffer = best_free(free, plan.sizes, result.bytes);
    std::erase(free, buffer);
    plan.sizes[buffer] = std::max(plan.sizes[buffer], result.bytes);
    plan.buffers[i] = buffer;
    living.push_back(i);
  }
  return plan;
}

}  // namespace pdvc
