// Which sentences a player shows when: events that may overlap, turned into cues that do not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"

namespace pdvc {

// What is on screen from `start` to `end` (milliseconds): the sentences of all events then, those
// that began first on top, each text once.
struct Cue {
  int64_t start = 0;
  int64_t end = 0;
  std::vector<std::string> sentences;
};

// Nothing shorter can be read.
constexpr int64_t kShortestCue = 500;

// Cues in order of time that do not overlap; times with no event have none. The timeline is cut
// where events start or end. A border less than kShortestCue after the one before falls together
// with it, so that no cue is shorter: a sentence may come, or go, less than kShortestCue early. An
// event shorter than that is lengthened to it. Only a video that is itself shorter has a shorter
// cue. Neighbours that show the same become one.
std::vector<Cue> cues_of(const VideoEvents& video);

}  // namespace pdvc
