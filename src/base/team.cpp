#include "base/team.h"

#include <system_error>
#include <utility>

namespace pdvc {
namespace {

// About a twentieth of a millisecond: longer than the gaps between pieces of work, short enough not
// to take a core from another process.
constexpr int kSpins = 1000;

// Until `value` is no longer `old`.
void await_change(const std::atomic<uint32_t>& value, uint32_t old) {
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    __builtin_ia32_pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(int threads) {
  try {
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this, i] { help(i); });
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are do the work.
  }
}

Team::~Team() {
  stopping_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::run(const std::function<void(int)>& work) {
  if (helpers_.empty()) return work(0);
  work_ = &work;
  unfinished_ = static_cast<uint32_t>(helpers_.size());
  ++round_;
  round_.notify_all();
  work_as(0);
  for (uint32_t left; (left = unfinished_.load(std::memory_order_acquire)) != 0;)
    await_change(unfinished_, left);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Team::work_as(int index) try { (*work_)(index); } catch (...) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
}

void Team::help(int index) {
  for (uint32_t seen = 0;; ++seen) {
    await_change(round_, seen);
    if (stopping_) return;
    work_as(index);
    if (--unfinished_ == 0) unfinished_.notify_all();
  }
}

}  // namespace pdvc
