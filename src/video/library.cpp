#include "video/library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace pdvc {
namespace {

const VideoLibrary& load() {
  // By name: found through the run path of the program, beside oneDNN.
  void* handle = dlopen("libpdvc_video.so", RTLD_NOW | RTLD_LOCAL);
  check(handle != nullptr, "videos cannot be read: ", dlerror());
  using Entry = const VideoLibrary*();
  auto* entry = reinterpret_cast<Entry*>(dlsym(handle, kVideoLibrarySymbol));
  check(entry != nullptr, "libpdvc_video.so: has no ", kVideoLibrarySymbol);
  return *entry();
}

}  // namespace

const VideoLibrary& video_library() {
  static const VideoLibrary& library = load();
  return library;
}

VideoInfo probe_video(const std::filesystem::path& path) { return video_library().probe(path); }

std::string ffmpeg_version() { return video_library().version(); }

}  // namespace pdvc
