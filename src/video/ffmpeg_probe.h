// Inside libpdvc_video.so: headers of video files, read with FFmpeg.
#pragma once

#include "video/probe.h"

namespace pdvc {

VideoInfo ffmpeg_probe(const std::filesystem::path& path);
std::string ffmpeg_library_version();

}  // namespace pdvc
