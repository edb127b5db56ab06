#include "output/subtitles.h"

#include <fmt/format.h>

#include "output/cues.h"
#include "output/line_text.h"
#include "output/time_text.h"
#include "output/vtt_cue.h"

namespace pdvc {
namespace {

std::string without_arrows(std::string line) {
  const std::string arrow = "-->";
  for (size_t at = line.find(arrow); at != std::string::npos; at = line.find(arrow))
    line.erase(at, 1);
  return line;
}

// The sentences of a cue, each on its own lines.
std::vector<std::string> lines_of(const Cue& cue) {
  std::vector<std::string> lines;
  for (const std::string& sentence : cue.sentences)
    for (std::string& line : wrap_words(sentence, kSubtitleWidth)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

std::string srt_text(const VideoEvents& video) {
  std::string text;
  int number = 0;
  for (const Cue& cue : cues_of(video)) {
    if (number > 0) text += "\n";
    text += fmt::format("{}\n{} --> {}\n", ++number, subtitle_time(cue.start, ','),
                        subtitle_time(cue.end, ','));
    for (const std::string& line : lines_of(cue)) text += without_arrows(line) + "\n";
  }
  return text;
}

std::string vtt_text(const VideoEvents& video) {
  std::string text = kVttHeader;
  for (const Cue& cue : cues_of(video)) text += vtt_cue(cue.start, cue.end, lines_of(cue));
  return text;
}

}  // namespace pdvc
