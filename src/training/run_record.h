// All that a run tells while it goes on: log.jsonl, TensorBoard's events, the line on the terminal.
// Only the first worker has one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/log.h"
#include "training/run_folder.h"
#include "training/run_log.h"
#include "training/tensorboard.h"
#include "training/validation.h"
#include "training/watch.h"

namespace pdvc {

// Of the last decoder layer, and the weighted total of all.
struct StepLosses {
  double total = 0, label = 0, box = 0, giou = 0, count = 0, caption = 0;

  std::vector<double> numbers() const { return {total, label, box, giou, count, caption}; }
  static StepLosses mean(const std::vector<double>& sums, double workers) {
    return {sums[0] / workers, sums[1] / workers, sums[2] / workers,
            sums[3] / workers, sums[4] / workers, sums[5] / workers};
  }
};

// One step of the optimiser.
struct StepRecord {
  int64_t epoch = 0, epochs = 0;         // from 1
  int64_t step = 0;                      // of the whole run, from 1
  int64_t step_of_epoch = 0, steps = 0;  // from 1, and how many an epoch has
  StepLosses losses;
  double gradient_norm = 0, rate = 0;
  double seconds = 0;  // of the run so far
  double waited = 0;   // of them in this step, for features
};

class RunRecord {
 public:
  // Keeps the first `log_bytes` of an earlier session's log.
  RunRecord(const RunFolder& folder, int64_t log_bytes, ProgressMode progress, Log& log);

  void start(const nlohmann::ordered_json& facts);
  void step(const StepRecord& step);
  // Takes the terminal's line away, so that a message may follow.
  void pause() { watch_.pause(); }
  void scores(int64_t step, const ValidationScores& scores);
  void epoch(int64_t step, double seconds, const nlohmann::ordered_json& row);
  // Everything in its file; returns the size of the log.
  int64_t flush();

 private:
  RunLog log_;
  TensorBoardFile tensorboard_;
  Watch watch_;
};

}  // namespace pdvc
