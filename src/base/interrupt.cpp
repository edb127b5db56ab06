#include "base/interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "base/error.h"

namespace pdvc {
namespace {

// A signal handler reaches nothing but static storage.
std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free);

std::atomic<int64_t> first = 0;  // when it was requested, in milliseconds

int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

// A second wish ends the program at once. Shortly after the first it is the same wish, told by the
// terminal and by whoever started this program.
void remember(int signal) {
  constexpr int64_t kSameWish = 1000;
  if (!requested) {
    first = now();
    requested = true;
  } else if (now() - first > kSameWish) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void catch_interrupts() {
  requested = false;
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

bool interrupt_requested() { return requested; }

void check_interrupt() {
  if (interrupt_requested()) throw Interrupted();
}

}  // namespace pdvc
