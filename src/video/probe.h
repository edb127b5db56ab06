// What a video file holds, read from its headers with FFmpeg.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pdvc {

struct StreamInfo {
  std::string kind;   // "video", "audio", "subtitle" ...
  std::string codec;  // "h264"; "unknown" where FFmpeg has no decoder
  int64_t width = 0;
  int64_t height = 0;
  std::optional<double> frames_per_second;
  std::optional<int64_t> frames;  // where the container says so
  double rotation = 0;            // degrees, clockwise, to show it upright
  bool cover_art = false;         // a still picture, not the film
};

struct VideoInfo {
  std::string container;
  std::optional<double> duration;  // seconds
  std::vector<StreamInfo> streams;
  std::string comment;  // of its metadata
};

// Throws when FFmpeg does not know the file's format. Only this one file is read: play lists cannot
// name others.
VideoInfo probe_video(const std::filesystem::path& path);

std::string ffmpeg_version();

}  // namespace pdvc
