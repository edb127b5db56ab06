// Subtitle files: what players show under a video.
#pragma once

#include <string>

#include "event/event.h"

namespace pdvc {

// Longer sentences go on in the next line, at a word border.
constexpr size_t kSubtitleWidth = 42;

// SubRip. It has no escapes: an arrow in the text, which readers take for times, loses a dash.
std::string srt_text(const VideoEvents& video);

std::string vtt_text(const VideoEvents& video);

}  // namespace pdvc
