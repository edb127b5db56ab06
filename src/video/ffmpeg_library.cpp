// Inside libpdvc_video.so: the one symbol through which the program reaches FFmpeg.
#include "video/ffmpeg_probe.h"
#include "video/ffmpeg_reader.h"
#include "video/ffmpeg_writer.h"
#include "video/library.h"

namespace pdvc {
namespace {

class FfmpegLibrary : public VideoLibrary {
 public:
  VideoInfo probe(const std::filesystem::path& path) const override { return ffmpeg_probe(path); }
  std::unique_ptr<VideoReader> open(const std::filesystem::path& path, int threads) const override {
    return ffmpeg_reader(path, threads);
  }
  std::unique_ptr<FilmWriter> open_film(const std::filesystem::path& path,
                                        const FilmFormat& format) const override {
    return ffmpeg_open_film(path, format);
  }
  std::string version() const override { return ffmpeg_library_version(); }
};

}  // namespace
}  // namespace pdvc

extern "C" __attribute__((visibility("default"))) const pdvc::VideoLibrary* pdvc_video_library() {
  static const pdvc::FfmpegLibrary library;
  return &library;
}
