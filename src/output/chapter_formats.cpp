#include "output/chapter_formats.h"

#include <fmt/format.h>

#include <string_view>

#include "output/chapters.h"
#include "output/time_text.h"
#include "output/vtt_cue.h"

namespace pdvc {
namespace {

// A title has no line breaks, which would need a backslash as well. FFmpeg takes any backslash at
// the end of a line, even an escaped one, as "goes on in the next line": a space keeps them apart.
std::string escaped_for_ffmetadata(std::string_view title) {
  std::string text;
  for (const char c : title) {
    if (std::string_view("=;#\\").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text.ends_with('\\') ? text + ' ' : text;
}

std::string without_angle_brackets(std::string_view title) {
  std::string text;
  for (const char c : title) {
    if (c == '<')
      text += "\u2039";
    else if (c == '>')
      text += "\u203a";
    else
      text += c;
  }
  return text;
}

}  // namespace

std::string ffmetadata_chapters(const VideoEvents& video) {
  std::string text = ";FFMETADATA1\n";
  for (const Chapter& chapter : chapters_of(video, kShortestChapter))
    text += fmt::format("\n[CHAPTER]\nTIMEBASE=1/1000\nSTART={}\nEND={}\ntitle={}\n", chapter.start,
                        chapter.end, escaped_for_ffmetadata(chapter.title));
  return text;
}

std::string youtube_chapters(const VideoEvents& video) {
  std::string text;
  for (const Chapter& chapter : chapters_of(video, kShortestYoutubeChapter))
    text += fmt::format("{} {}\n", whole_second_time(chapter.start),
                        without_angle_brackets(chapter.title));
  return text;
}

size_t youtube_chapter_count(const VideoEvents& video) {
  return chapters_of(video, kShortestYoutubeChapter).size();
}

std::string vtt_chapters(const VideoEvents& video) {
  std::string text = kVttHeader;
  for (const Chapter& chapter : chapters_of(video, kShortestChapter))
    text += vtt_cue(chapter.start, chapter.end, {&chapter.title, 1});
  return text;
}

}  // namespace pdvc
