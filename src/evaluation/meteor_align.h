// Chooses, among all candidates, the matches that METEOR scores.
#pragma once

#include <vector>

#include "evaluation/meteor_match.h"

namespace pdvc {

struct MeteorAlignment {
  std::vector<MeteorMatch> matches;  // by the reference's position; no word is in two
  int64_t chunks = 0;                // runs of matches that are in order on both sides
};

// Beam search for the most matched words, then the fewest chunks, then the shortest distances; a
// heuristic whose habits are part of the score.
MeteorAlignment align(const MeteorCandidates& candidates);

}  // namespace pdvc
