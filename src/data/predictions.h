// Prediction files: the challenge format that evaluators read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "event/event.h"

namespace pdvc {

// Whether a system learned from more than the challenge's own data, as the format asks.
struct ExternalData {
  bool used = false;
  std::string details;
};

struct Predictions {
  std::vector<VideoEvents> videos;  // in file order
  std::string version = "VERSION 1.0";
  ExternalData external_data;
};

// {"results": {video: [{"timestamp": [start, end], "sentence": text, scores ...}]}, "version",
// "external_data"}. Only time stamps and sentences are needed; other systems' extra keys are passed
// over. Times must be finite, not negative and in order.
Predictions read_predictions(const std::filesystem::path& path);
Predictions parse_predictions(std::string_view text, const std::string& name);

// One event as the format has it, in the original's order of keys; those without a finite value are
// left out.
nlohmann::ordered_json prediction_json(const Event& event, const VideoEvents& video);
// The whole file, one video a line. Throws where reading it back would: a video that is there
// twice, a time that is not finite, negative or after its end.
std::string predictions_text(const Predictions& predictions);

}  // namespace pdvc
