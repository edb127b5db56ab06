#include "output/vtt_cue.h"

#include <fmt/format.h>

#include "output/time_text.h"

namespace pdvc {
namespace {

std::string escaped(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else
      text += c;
  }
  return text;
}

}  // namespace

std::string vtt_cue(int64_t start, int64_t end, std::span<const std::string> lines) {
  std::string text =
      fmt::format("\n{} --> {}\n", subtitle_time(start, '.'), subtitle_time(end, '.'));
  for (const std::string& line : lines) text += escaped(line) + "\n";
  return text;
}

}  // namespace pdvc
