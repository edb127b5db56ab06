#include "video/library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace pdvc {
namespace {

constexpr const char* kFile = "libpdvc_video.so";

// The folder of the program or library that this code is part of.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&video_library), &info) == 0) return {};
  return std::filesystem::canonical(info.dli_fname).parent_path();
}

// Beside it or one folder up, as it is built, or where it is installed; else wherever the system
// looks. Not by the run path alone: sanitizers call dlopen from a library that has none.
void* open_library() {
  const std::filesystem::path here = own_folder();
  for (const char* folder : {".", "..", "pdvc", PDVC_INSTALLED_LIBRARIES})
    if (const auto file = here / folder / kFile; std::filesystem::exists(file))
      return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  return dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
}

const VideoLibrary& load() {
  void* handle = open_library();
  check(handle != nullptr, "videos cannot be read: ", dlerror());
  using Entry = const VideoLibrary*();
  auto* entry = reinterpret_cast<Entry*>(dlsym(handle, kVideoLibrarySymbol));
  check(entry != nullptr, kFile, ": has no ", kVideoLibrarySymbol);
  return *entry();
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
