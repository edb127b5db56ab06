// The events of a video as subtitles and chapters show them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"

namespace pdvc {

// One line of text and when it holds, in milliseconds inside the video; start < end.
struct TimedSentence {
  int64_t start = 0;
  int64_t end = 0;
  std::string text;
  double score = 0;  // the better, the likelier; never NaN
};

// The video's duration, when it is known, finite and not 0.
std::optional<int64_t> duration_in_milliseconds(const VideoEvents& video);

// The events by start, then end, then as given, cut to the video. Those without words or without
// length (once cut and rounded) are left out. The score is the joint one, else the proposal's,
// else 0.
std::vector<TimedSentence> timed_sentences(const VideoEvents& video);

}  // namespace pdvc
