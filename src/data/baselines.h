// What can be predicted without looking at a video: what any model has to beat.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "event/event.h"

namespace pdvc {

// The sentence that stands most often in the annotations, the first of those that do; compared
// without case and final stop.
std::string most_frequent_sentence(std::span<const VideoEvents> annotated);

// As many events as videos have on average, rounded, each where the events at its place among all
// lie on average, relative to the duration; all with the most frequent sentence.
std::vector<VideoEvents> average_events(std::span<const VideoEvents> annotated,
                                        std::span<const VideoEvents> wanted);

// The wanted videos' own segments, all with the most frequent sentence of the annotated ones.
std::vector<VideoEvents> given_segments(std::span<const VideoEvents> annotated,
                                        std::span<const VideoEvents> wanted);

}  // namespace pdvc
