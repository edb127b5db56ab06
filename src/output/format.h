// The forms in which captions can be given out.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"

namespace pdvc {

enum class OutputFormat {
  json,
  srt,
  vtt,
  txt,
  tsv,
  chapters_ffmetadata,
  chapters_youtube,
  chapters_vtt,
  html
};

// As the command line spells it: "chapters-vtt".
std::string_view name_of(OutputFormat format);
// All names, separated by commas, for messages and help.
std::string format_names();

// What a file of this format ends in: ".srt", ".chapters.txt".
std::string_view extension_of(OutputFormat format);
// The format whose extension the file's name has.
std::optional<OutputFormat> format_of_file(const std::filesystem::path& path);

// "srt,vtt,chapters": formats in the order given, each once; `chapters` is chapters-ffmetadata.
std::vector<OutputFormat> parse_formats(std::string_view list);

// Whether one file can hold the captions of any number of videos; else it holds one.
bool holds_many_videos(OutputFormat format);

// The whole file. Throws when the format cannot hold this number of videos.
std::string render(OutputFormat format, std::span<const VideoEvents> videos);

// Why a rendered file will not do what it is for, if so: YouTube ignores short lists of chapters.
std::optional<std::string> format_warning(OutputFormat format, const VideoEvents& video);

}  // namespace pdvc
