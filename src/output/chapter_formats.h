// Chapters in the formats of those who show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "event/event.h"

namespace pdvc {

constexpr int64_t kShortestChapter = 2'000;          // milliseconds; to jump to with a key
constexpr int64_t kShortestYoutubeChapter = 10'000;  // YouTube's own rule
constexpr size_t kFewestYoutubeChapters = 3;         // likewise: it ignores a list of fewer

// For `ffmpeg -i VIDEO -i FILE -map_metadata 1 -codec copy OUT`, which puts chapters into a video.
std::string ffmetadata_chapters(const VideoEvents& video);

// For a video's description: "0:00 title" lines. YouTube allows no < and > there: they become
// quotation marks of that form.
std::string youtube_chapters(const VideoEvents& video);
size_t youtube_chapter_count(const VideoEvents& video);

// For <track kind="chapters">.
std::string vtt_chapters(const VideoEvents& video);

}  // namespace pdvc
