#include "video_files.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/file_name.h"
#include "base/mapped_file.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 26> kExtensions = {
    ".3gp", ".asf",  ".avi", ".divx", ".dv",  ".flv",  ".gif",  ".h264", ".hevc",
    ".ivf", ".m2ts", ".m4v", ".mkv",  ".mov", ".mp4",  ".mpeg", ".mpg",  ".mts",
    ".mxf", ".ogv",  ".rm",  ".ts",   ".vob", ".webm", ".wmv",  ".y4m"};

}  // namespace

bool has_video_name(const fs::path& path) {
  return std::ranges::find(kExtensions, lower_extension(path)) != kExtensions.end();
}

std::vector<VideoFile> video_files_in(const fs::path& input) {
  if (input == "-") return {{"stdin", input}};
  if (!fs::is_directory(input)) {
    check_is_file(input);
    return {{input.stem().string(), input}};
  }
  std::vector<VideoFile> videos;
  for (const fs::directory_entry& entry : fs::directory_iterator(input))
    if (entry.is_regular_file() && has_video_name(entry.path()) && !is_hidden(entry.path()))
      videos.push_back({entry.path().stem().string(), entry.path()});
  std::ranges::sort(videos, {}, &VideoFile::path);
  check(!videos.empty(), input, ": holds no videos");
  return videos;
}

}  // namespace pdvc
