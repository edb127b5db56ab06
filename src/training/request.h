// What a training run is asked to do.
#pragma once

#include <filesystem>
#include <string>

#include "base/progress.h"
#include "data/settings.h"

namespace pdvc {

enum class Start { fresh, resumed };

struct TrainingRequest {
  Settings settings;
  std::filesystem::path folder;
  Start start = Start::fresh;
  std::filesystem::path weights;  // to begin with; empty: random ones
  int64_t least_count = 2;        // of a word that enters a vocabulary made from the captions
  std::string device = "cpu";
  int threads = 1;
  ProgressMode progress = ProgressMode::silent;
};

}  // namespace pdvc
