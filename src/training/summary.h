// summary.md: what a run was and what came of it, for people.
#pragma once

#include <string>

#include "data/settings.h"
#include "training/checkpoint.h"

namespace pdvc {

struct RunFacts {
  size_t training_videos = 0, validation_videos = 0;
  int64_t words = 0, parameters = 0;
  int workers = 1, threads = 1;
  std::string device;
  std::vector<std::string> peak_megabytes;  // of each worker
  std::string best_by;
  std::string end;  // why the run ended
};

std::string summary_text(const Settings& settings, const RunProgress& progress,
                         const RunFacts& facts);

}  // namespace pdvc
