// Which of a model's queries become a video's events, and in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/settings.h"
#include "event/event.h"
#include "runtime/engine.h"

namespace pdvc {

struct SelectionOptions {
  bool all_queries = false;           // no counting and ranking
  std::optional<int64_t> count;       // instead of what the counter says
  std::optional<double> rank_weight;  // instead of the model's setting
  std::optional<double> rank_gamma;   // instead of 2
};

// The best events by joint score, in order of time: as many as the counter says, or as asked for.
// With all_queries every one, by falling proposal score and without a joint score.
VideoEvents select_events(std::string video, double duration, const VideoPredictions& predictions,
                          const ModelSettings& settings, const SelectionOptions& options);

}  // namespace pdvc
