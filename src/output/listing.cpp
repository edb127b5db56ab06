#include "output/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/line_text.h"
#include "output/time_text.h"
#include "output/timed_sentences.h"

namespace pdvc {
namespace {

constexpr size_t kUsualTimeWidth = 7;  // "10:15.0"

std::string time_of(double seconds) { return short_time(to_milliseconds(seconds)); }

size_t time_width(const VideoEvents& video) {
  size_t width = kUsualTimeWidth;
  for (const Event& event : video.events)
    width =
        std::max({width, time_of(event.segment.start).size(), time_of(event.segment.end).size()});
  return width;
}

std::string heading(const VideoEvents& video) {
  std::string text = one_line_name(video.video);
  if (const auto duration = duration_in_milliseconds(video))
    text += fmt::format(" ({})", short_time(*duration));
  return text + "\n";
}

std::string line_of(const Event& event, size_t time_width) {
  const std::string sentence = one_line(event.sentence);
  return fmt::format(" {:>{}} - {:>{}}{}{}", time_of(event.segment.start), time_width,
                     time_of(event.segment.end), time_width, sentence.empty() ? "" : "  ",
                     sentence);
}

std::string event_lines(const VideoEvents& video) {
  if (video.events.empty()) return " no events\n";
  const size_t width = time_width(video);
  std::string text;
  for (const Event& event : video.events) text += line_of(event, width) + "\n";
  return text;
}

}  // namespace

std::string event_line(const Event& event) { return line_of(event, kUsualTimeWidth); }

std::string listing_text(std::span<const VideoEvents> videos) {
  if (videos.size() == 1) return event_lines(videos[0]);
  std::string text;
  for (const VideoEvents& video : videos)
    text += (text.empty() ? "" : "\n") + heading(video) + event_lines(video);
  return text;
}

}  // namespace pdvc
