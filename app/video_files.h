// Which videos a command line names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pdvc {

struct VideoFile {
  std::string name;  // without folder and extension; "stdin" for "-"
  std::filesystem::path path;
};

// Whether a file's name says that it is a video.
bool has_video_name(const std::filesystem::path& path);
// The file itself, or the files of a folder whose names say that they are videos. Throws when there
// are none.
std::vector<VideoFile> video_files_in(const std::filesystem::path& input);

}  // namespace pdvc
