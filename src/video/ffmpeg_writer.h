// Inside libpdvc_video.so: films, written with FFmpeg.
#pragma once

#include "video/writer.h"

namespace pdvc {

std::unique_ptr<FilmWriter> ffmpeg_open_film(const std::filesystem::path& path,
                                             const FilmFormat& format);

}  // namespace pdvc
