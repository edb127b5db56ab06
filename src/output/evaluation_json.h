// Scores as JSON, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "evaluation/bootstrap.h"

namespace pdvc {

// What one run of the evaluation found, for whoever writes it down.
struct EvaluationReport {
  ReportedScores reported;
  std::vector<std::string> references;  // names of the files
  std::vector<SystemResult> systems;
  int64_t resamples = 0;                               // 0: no bootstrap
  std::vector<std::vector<BootstrapScore>> bootstrap;  // [system][headline score]
};

// {"dense": {"2018": {"Bleu_1": [four thresholds], ..., "mean": {...}, "F1"}, ...}, "soda": {"c":
// {FILE: [precision, recall, f1], "micro": {FILE: f1}, "f1"}, ...}, "paragraph": {...}, "videos":
// {...}, "bootstrap": {...}}; with several systems {NAME: {the same}}. What was not computed is
// null.
nlohmann::ordered_json evaluation_json(const EvaluationReport& report);

// One line for each video of each system, with what is known about it alone.
std::string per_video_lines(const EvaluationReport& report);

}  // namespace pdvc
