// The options of `pdvc train`, which pdvc and pdvc-train share.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace pdvc {

struct TrainOptions {
  std::vector<std::string> words;  // key=value, or "export CHECKPOINT OUT"
  std::string config;
  std::string output;
  bool resume = false;
  std::string from;
  int64_t workers = 1;
  std::string device = "cpu";
  int64_t min_count = 2;
};
void fields(TrainOptions& options, FieldList& visit);

// The command without what it does.
Command train_description(TrainOptions& options);

}  // namespace pdvc
