// Shows how far long work has come: a bar on a terminal, JSON lines for programs, or nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/log.h"

namespace pdvc {

enum class ProgressMode { silent, bar, json };

// Seconds on a clock that never goes back.
using Clock = std::function<double()>;
double steady_seconds();

// One piece of work of `total` steps (0: not known). advance() may be called from any thread.
class Progress {
 public:
  Progress(Log& log, ProgressMode mode, std::string work, int64_t total,
           Clock clock = steady_seconds);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(int64_t steps = 1);
  // Shows the final state once and takes the bar away.
  void finish();

 private:
  void show(double now);
  std::string bar_line(double rate) const;
  std::string json_line(double rate) const;
  double seconds_left(double rate) const;

  Log& log_;
  ProgressMode mode_;
  std::string work_;
  int64_t total_;
  Clock clock_;
  double started_;
  double shown_;
  int64_t done_ = 0;
  bool finished_ = false;
  std::mutex mutex_;
};

// 75 -> "1:15", 3675 -> "1:01:15"
std::string duration_text(double seconds);

}  // namespace pdvc
