// Which results of a sequence of steps may lie in the same memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pdvc {

// A result is there from the step that makes it to the last one that looks at it. One that no step
// makes has `first` behind `last` and gets no memory.
struct Lifetime {
  size_t first = SIZE_MAX, last = 0;
  size_t bytes = 0;
};

struct BufferPlan {
  std::vector<size_t> buffers;  // of each result; any number where it has none
  std::vector<size_t> sizes;    // of each buffer, in bytes
};

// Results that live at the same time get different buffers.
BufferPlan plan_buffers(std::span<const Lifetime> results);

}  // namespace pdvc
