// Several workers of one run on this machine.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"

namespace pdvc {

struct LocalWorkers {
  int count = 2;
  int threads = 1;                 // of all together
  std::vector<std::string> words;  // the command line of each
};

// Starts this program again `count` times, with the environment that workers are found by, and
// waits for all. Returns 0, or the exit code of the first that failed, after ending the others.
int run_workers(const LocalWorkers& workers, Log& log);

}  // namespace pdvc
