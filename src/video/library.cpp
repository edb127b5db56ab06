#include "video/library.h"

#include "base/module.h"

namespace pdvc {
namespace {

const VideoLibrary& load() {
  using Entry = const VideoLibrary*();
  return *reinterpret_cast<Entry*>(load_symbol("libpdvc_video.so", kVideoLibrarySymbol))();
}

}  // namespace

const VideoLibrary& video_library() {
  static const VideoLibrary& library = load();
  return library;
}

VideoInfo probe_video(const std::filesystem::path& path) { return video_library().probe(path); }

std::unique_ptr<VideoReader> open_video(const std::filesystem::path& path, int threads) {
  return video_library().open(path, threads);
}

std::unique_ptr<FilmWriter> open_film(const std::filesystem::path& path, const FilmFormat& format) {
  return video_library().open_film(path, format);
}

std::string ffmpeg_version() { return video_library().version(); }

}  // namespace pdvc
