#include "base/interrupt.h"

#include <atomic>
#include <csignal>

#include "base/error.h"

namespace pdvc {
namespace {

// A signal handler reaches nothing but static storage.
std::atomic<bool> requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void remember(int signal) {
  requested = true;
  std::signal(signal, SIG_DFL);
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
