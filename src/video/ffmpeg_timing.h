// Inside libpdvc_video.so: whether a video's frames come at a constant rate, told from its packets
// without decoding them.
#pragma once

#include "video/ffmpeg_input.h"
#include "video/reader.h"

namespace pdvc {

struct StreamTiming {
  std::optional<Rate> constant;  // every gap between frames is within 1 ms of it
  Rate nominal;                  // what a frame without time stamp lasts
};

// Reads the input to its end. Throws when its packets are encrypted.
StreamTiming timing_of(const Input& input, const AVStream& stream,
                       const std::filesystem::path& path);

}  // namespace pdvc
