#include "output/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/error.h"
#include "base/file_name.h"
#include "base/mapped_file.h"
#include "output/html_parts.h"
#include "output/line_text.h"
#include "output/time_text.h"
#include "output/timed_sentences.h"

namespace pdvc {
namespace {

constexpr int64_t kShortestTimeline = 1000;  // milliseconds

// Only what the page itself holds runs; films may be beside it.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "media-src data: file: 'self'";

int64_t length_of(const VideoEvents& video, const std::vector<TimedSentence>& events) {
  int64_t length = duration_in_milliseconds(video).value_or(0);
  for (const TimedSentence& event : events) length = std::max(length, event.end);
  return std::max(length, kShortestTimeline);
}

// The first lane in which nothing goes on any more; events come by start.
std::vector<size_t> lanes_of(const std::vector<TimedSentence>& events) {
  std::vector<int64_t> ends;
  std::vector<size_t> lanes;
  for (const TimedSentence& event : events) {
    const auto free = std::ranges::find_if(ends, [&](int64_t end) { return end <= event.start; });
    lanes.push_back(static_cast<size_t>(free - ends.begin()));
    if (free == ends.end())
      ends.push_back(event.end);
    else
      *free = event.end;
  }
  return lanes;
}

std::string seconds(int64_t milliseconds) {
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

std::string data_attributes(const TimedSentence& event, size_t index) {
  return fmt::format("data-event=\"{}\" data-start=\"{}\" data-end=\"{}\"", index,
                     seconds(event.start), seconds(event.end));
}

std::string time_range(const TimedSentence& event) {
  return short_time(event.start) + " \xe2\x80\x93 " + short_time(event.end);
}

std::string timeline(const std::vector<TimedSentence>& events, int64_t length) {
  const std::vector<size_t> lanes = lanes_of(events);
  const size_t count = lanes.empty() ? 1 : *std::ranges::max_element(lanes) + 1;
  const auto percent = [&](int64_t time) {
    return 100 * static_cast<double>(time) / static_cast<double>(length);
  };
  std::string text = fmt::format(
      "<section class=\"timeline\" aria-label=\"Timeline\" data-length=\"{}\" "
      "style=\"--lanes:{}\">\n",
      seconds(length), count);
  for (size_t i = 0; i < events.size(); ++i)
    text += fmt::format(
        "<button class=\"event\" {} style=\"--lane:{};--left:{:.3f}%;--width:{:.3f}%\" "
        "title=\"{}\">{}</button>\n",
        data_attributes(events[i], i), lanes[i], percent(events[i].start),
        percent(events[i].end - events[i].start), html_escaped(time_range(events[i])),
        html_escaped(events[i].text));
  return text + "<div class=\"head\"></div>\n</section>\n" +
         fmt::format("<div class=\"ends\"><span>{}</span><span>{}</span></div>\n", short_time(0),
                     short_time(length));
}

// Events of annotations have no score.
bool has_scores(const VideoEvents& video) {
  return std::ranges::any_of(video.events, [](const Event& event) {
    return event.joint_score.has_value() || event.proposal_score.has_value();
  });
}

std::string sentence_list(const std::vector<TimedSentence>& events, bool with_scores) {
  std::string text = "<ol>\n";
  for (size_t i = 0; i < events.size(); ++i) {
    text += fmt::format("<li {}><button class=\"time\">{}</button><span>{}</span>",
                        data_attributes(events[i], i), time_range(events[i]),
                        html_escaped(events[i].text));
    if (with_scores) text += fmt::format("<span class=\"score\">{:.3f}</span>", events[i].score);
    text += "</li>\n";
  }
  return text + "</ol>\n";
}

std::string film_element(std::string_view film) {
  if (film.empty()) return "";
  return "<video controls preload=\"metadata\" src=\"" + html_escaped(film) +
         "\"></video>\n<p class=\"problem\" hidden>This browser cannot play the film.</p>\n";
}

std::string base64(Bytes bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? std::to_integer<uint32_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string_view media_type(const std::filesystem::path& film) {
  struct Type {
    std::string_view extension, type;
  };
  static constexpr std::array kTypes{
      Type{".mp4", "video/mp4"},       Type{".m4v", "video/mp4"},
      Type{".webm", "video/webm"},     Type{".mkv", "video/x-matroska"},
      Type{".mov", "video/quicktime"}, Type{".avi", "video/x-msvideo"},
      Type{".ogv", "video/ogg"},       Type{".wmv", "video/x-ms-wmv"}};
  const auto found = std::ranges::find(kTypes, lower_extension(film), &Type::extension);
  return found == kTypes.end() ? "video/mp4" : found->type;
}

// A path as an address: what could be taken for something else is written as %XX.
std::string address_of(const std::filesystem::path& path) {
  std::string text;
  for (const char c : path.generic_string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (c == '\'')
      escaped += "&#39;";
    else
      escaped += c;
  }
  return escaped;
}

std::string html_page(const VideoEvents& video, std::string_view film) {
  const std::vector<TimedSentence> events = timed_sentences(video);
  const int64_t length = length_of(video, events);
  const std::string name = html_escaped(one_line_name(video.video));
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" + std::string(kPolicy) + "\">\n";
  page += "<title>" + name + "</title>\n<style>" + std::string(kPageStyle) + "</style>\n</head>\n";
  page += "<body>\n<main>\n<h1>" + name + "</h1>\n<p class=\"facts\">" + short_time(length) + ", " +
          std::to_string(events.size()) + (events.size() == 1 ? " event" : " events") + "</p>\n";
  page += film_element(film) + timeline(events, length);
  page += sentence_list(events, has_scores(video));
  return page + "</main>\n<script>" + std::string(kPageScript) + "</script>\n</body>\n</html>\n";
}

std::string html_page(const VideoEvents& video) { return html_page(video, ""); }

std::string film_address(const std::filesystem::path& film,
                         const std::filesystem::path& page_folder) {
  if (std::filesystem::file_size(film) > kLargestEmbeddedFilm)
    return address_of(std::filesystem::proximate(film, page_folder));
  const MappedFile file(film);
  return "data:" + std::string(media_type(film)) + ";base64," + base64(file.bytes());
}

}  // namespace pdvc
