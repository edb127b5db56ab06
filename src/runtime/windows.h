// Long videos: overlapping windows, and one list of events out of all of them.
#pragma once

#include <span>
#include <vector>

#include "event/event.h"

namespace pdvc {

// Windows of `length` seconds over a video of `duration` seconds, each half a window after the
// last; the final one ends where the video ends. One window for a video that is not longer.
std::vector<Segment> windows_of(double duration, double length);

// The rows of features of the whole video, `rows` of them, that a window covers: at least one.
struct WindowRows {
  int64_t first = 0, count = 0;
};
WindowRows rows_of(const Segment& window, double duration, int64_t rows);

// Events of each window, in seconds of the whole video -> one list, by start and then end. An event
// that a window's edge cuts is dropped where a neighbouring window sees it whole; of events at the
// same time (IoU of at least 0.7) the one with the best joint score stays.
std::vector<Event> merge_windows(std::span<const Segment> windows,
                                 std::span<const std::vector<Event>> events, double duration);

}  // namespace pdvc
