// A few threads that wait for short pieces of work.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pdvc {

// The calling thread and some helpers. Made once and used thousands of times a second: helpers spin
// for a moment before they sleep, so that a piece of work of a tenth of a millisecond is worth
// sharing, and a team with nothing to do costs nothing.
class Team {
 public:
  explicit Team(int threads);  // including the caller's; fewer where the system gives no more
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return static_cast<int>(helpers_.size()) + 1; }
  // Calls work(0) ... work(size() - 1), each on its own thread, 0 on the caller's. Returns when all
  // have returned; rethrows the first exception. Not to be called from two threads at once.
  void run(const std::function<void(int)>& work);

 private:
  void help(int index);
  void work_as(int index);

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<uint32_t> round_ = 0;       // counts the calls of run
  std::atomic<uint32_t> unfinished_ = 0;  // helpers that still work
  bool stopping_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> helpers_;
};

}  // namespace pdvc
