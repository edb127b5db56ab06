// Prediction files: the challenge format that evaluators read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "event/event.h"

namespace pdvc {

struct Predictions {
  std::vector<VideoEvents> videos;  // in file order
  std::string version = "VERSION 1.0";
};

// {"results": {video: [{"timestamp": [start, end], "sentence": text, scores ...}]}, "version",
// "external_data"}. Only time stamps and sentences are needed; other systems' extra keys are passed
// over. Times must be finite, not negative and in order.
Predictions read_predictions(const std::filesystem::path& path);
Predictions parse_predictions(std::string_view text, const std::string& name);

// One event as the format has it; keys without a value are left out.
Json prediction_json(const Event& event, const VideoEvents& video);
// The whole file, one video a line.
std::string predictions_text(const Predictions& predictions);

}  // namespace pdvc
