// The pieces of a WebVTT file, which subtitles and chapters share.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pdvc {

constexpr const char* kVttHeader = "WEBVTT\n";

// A blank line, the times (milliseconds) and the lines with & < > escaped, so that no tag and no
// arrow is left in them. No line may be empty.
std::string vtt_cue(int64_t start, int64_t end, std::span<const std::string> lines);

}  // namespace pdvc
