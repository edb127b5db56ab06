// Writes a film, frame by frame, with FFmpeg.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace pdvc {

struct FilmFormat {
  int width = 0, height = 0;  // even
  int frames_per_second = 15;
  std::string comment;  // kept in the file's metadata
};

// One MP4 file: H.264 where FFmpeg at hand can encode it, else MPEG-4. It takes its name when it is
// finished; until then it is beside it, and it is gone if it is never finished.
class FilmWriter {
 public:
  virtual ~FilmWriter() = default;
  // rgb [height, width, 3]
  virtual void write(std::span<const uint8_t> rgb) = 0;
  virtual void finish() = 0;
};

std::unique_ptr<FilmWriter> open_film(const std::filesystem::path& path, const FilmFormat& format);

}  // namespace pdvc
