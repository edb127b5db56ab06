// What a person at the terminal sees of a run.
#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"
#include "base/progress.h"

namespace pdvc {

// One step, as it is shown.
struct StepReport {
  int64_t epoch = 0, epochs = 0;
  int64_t step = 0, steps = 0;  // of this epoch, from 1
  double loss = 0, label = 0, giou = 0, count = 0, caption = 0;
  double epochs_left = 0;  // after this step, with its fraction
};

// "epoch 3/30  step 120/480  loss 12.31 (label 0.41 giou 0.52 count 0.11 caption 4.20)  7.6 steps/s
// 1:20:05 left", twice a second on a terminal; JSON lines for programs; else nothing.
class Watch {
 public:
  Watch(Log& log, ProgressMode mode, Clock clock = steady_seconds);

  void step(const StepReport& report);
  // Takes the line away, so that a message may follow.
  void pause();

 private:
  double rate(double now) const;

  Log& log_;
  ProgressMode mode_;
  Clock clock_;
  double started_ = 0, shown_ = 0;  // started: end of the first step
  int64_t steps_ = 0;               // since then
};

}  // namespace pdvc
