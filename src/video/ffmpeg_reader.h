// Inside libpdvc_video.so: videos read with FFmpeg.
#pragma once

#include "video/reader.h"

namespace pdvc {

std::unique_ptr<VideoReader> ffmpeg_reader(const std::filesystem::path& path, int threads);

}  // namespace pdvc
