// How many threads to use, and a loop over them.
#pragma once

#include <cstdint>
#include <functional>

namespace pdvc {

// The cores this process may use: its CPU mask and its cgroup's quota, at least one.
int available_threads();

// Calls body(0) ... body(count - 1) on up to `threads` threads, each index once, in no fixed order.
// After the first exception no new index starts; it is rethrown when all threads have stopped.
void parallel_for(int threads, int64_t count, const std::function<void(int64_t)>& body);

}  // namespace pdvc
