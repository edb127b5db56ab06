// What was said of videos beside what is true, for people to read.
#pragma once

#include <span>
#include <string>

#include "event/event.h"

namespace pdvc {

// For each video of the truth, in time: a true event, and below it the predicted one that overlaps
// it most, if any; events that are nobody's follow. Each prediction stands below one true event.
std::string side_by_side_text(std::span<const VideoEvents> predictions,
                              std::span<const VideoEvents> truth);

}  // namespace pdvc
