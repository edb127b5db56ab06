// What happens in a video and when: the currency between model, ranking, evaluation and output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/segment.h"

namespace pdvc {

// One event: its time in seconds, its sentence, and what a model thinks of it (absent in
// annotations).
struct Event {
  Segment segment;
  std::string sentence;
  std::optional<double> proposal_score;  // c_loc: how sure the localisation head is
  std::optional<double> sentence_score;  // sum of the words' log-probabilities
  std::optional<double> joint_score;     // of both, by which events are ranked
  std::optional<int64_t> query;          // which event query it came from
};

// The events of one video.
struct VideoEvents {
  std::string video;
  std::optional<double> duration;  // seconds
  std::vector<Event> events;
  std::optional<int64_t> predicted_count;  // what the event counter said
};

}  // namespace pdvc
