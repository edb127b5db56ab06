// FFmpeg, loaded when a video is first looked at: it brings a hundred and fifty libraries, which
// cost a program that only reads features more time and memory than the features.
#pragma once

#include <filesystem>
#include <string>

#include "video/probe.h"
#include "video/reader.h"
#include "video/writer.h"

namespace pdvc {

// What libpdvc_video.so offers, behind one symbol.
class VideoLibrary {
 public:
  virtual ~VideoLibrary() = default;
  virtual VideoInfo probe(const std::filesystem::path& path) const = 0;
  virtual std::unique_ptr<VideoReader> open(const std::filesystem::path& path,
                                            int threads) const = 0;
  virtual std::unique_ptr<FilmWriter> open_film(const std::filesystem::path& path,
                                                const FilmFormat& format) const = 0;
  virtual std::string version() const = 0;
};

constexpr const char* kVideoLibrarySymbol = "pdvc_video_library";

// Loads it from where the program's other libraries are; throws when it is not there.
const VideoLibrary& video_library();

}  // namespace pdvc
