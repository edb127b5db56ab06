// A batch of videos on their way through the model. Nothing is padded: the rows of all videos stand
// end to end, so that a video gets in a batch what it gets alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/segment.h"

namespace pdvc {

struct VideoInput {
  std::span<const float> features;  // [rows, feature width], already resampled
  double duration = 0;              // seconds
  std::vector<Segment> proposals;   // in seconds; used when the queries are proposals
};

// Where the rows of one video's levels lie among those of the whole batch.
struct VideoLevels {
  int64_t first = 0;                     // its first row
  std::vector<int64_t> starts, lengths;  // of each level, counted from `first`

  int64_t count() const { return starts.back() + lengths.back(); }
};

// The encoder's rows [position, hidden] and what was added to them to say where they are.
struct Memory {
  std::vector<VideoLevels> videos;
  int64_t rows = 0;
  float* features = nullptr;
  float* positions = nullptr;
};

// Which rows of a batch belong to one video.
struct RowRange {
  int64_t first = 0, count = 0;
};

// Where a query looks: a point, or a segment, in shares of its video.
struct Reference {
  float centre = 0, length = 0;
  bool is_point = true;
  int64_t video = 0;
};

}  // namespace pdvc
