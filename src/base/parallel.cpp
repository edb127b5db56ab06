#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace pdvc {
namespace {

int cores_in_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0)
    return static_cast<int>(std::thread::hardware_concurrency());
  return CPU_COUNT(&mask);
}

// Containers limit CPU time rather than the mask: "max 100000" or "150000 100000" in cpu.max.
int cores_in_quota(int unlimited) {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return unlimited;
  return static_cast<int>(std::ceil(std::atof(quota.c_str()) / period));
}

}  // namespace

int available_threads() {
  const int cores = cores_in_mask();
  return std::max(1, std::min(cores, cores_in_quota(cores)));
}

void parallel_for(int threads, int64_t count, const std::function<void(int64_t)>& body) {
  std::atomic<int64_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr first_failure;
  std::mutex mutex;
  const auto work = [&] {
    for (int64_t i; !failed && (i = next++) < count;) try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failed.exchange(true)) first_failure = std::current_exception();
      }
  };
  std::vector<std::jthread> helpers;
  const int64_t extra = std::min<int64_t>(threads, count) - 1;
  try {
    for (int64_t i = 0; i < extra; ++i) helpers.emplace_back(work);
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are do the work.
  }
  work();
  helpers.clear();  // joins
  if (first_failure) std::rethrow_exception(first_failure);
}

}  // namespace pdvc
