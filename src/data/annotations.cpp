#include "data/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "base/printable.h"

namespace pdvc {
namespace {

// Published files round durations and times differently.
constexpr double kSilentOvershoot = 0.05;
constexpr double kLongestVideo = 1e7;  // seconds: four months

// Times that had to be mended, for one warning at the end.
struct Mended {
  int64_t cut = 0;
  double largest_cut = 0;
  std::string largest_cut_video;
  int64_t reversed = 0;
  std::string first_reversed_video;
};

double parse_duration(const Json& entry, const std::string& place) {
  check(entry.contains("duration"), place, ": has no \"duration\"");
  const Json& value = entry["duration"];
  const bool sensible =
      value.is_number() && value.get<double>() > 0 && value.get<double>() <= kLongestVideo;
  check(sensible, place, ": duration: expected seconds above 0, got ", json_excerpt(value));
  return value.get<double>();
}

// Whether the event is kept; one that ends before it starts is not.
bool keeps(const Segment& segment, const VideoEvents& video, AnnotationRules rules,
           const std::string& place, Mended& mended) {
  if (segment.end >= segment.start) return true;
  check(rules.reversed == ReversedTimes::leave_out, place, ": ends before it starts (",
        segment.start, " to ", segment.end, " s)");
  if (mended.reversed++ == 0) mended.first_reversed_video = video.video;
  return false;
}

void cut_to_video(Segment& segment, const VideoEvents& video, Mended& mended) {
  const double overshoot = segment.end - *video.duration;
  if (overshoot <= 0) return;
  segment.end = *video.duration;
  segment.start = std::min(segment.start, segment.end);
  if (overshoot <= kSilentOvershoot) return;
  ++mended.cut;
  if (overshoot <= mended.largest_cut) return;
  mended.largest_cut = overshoot;
  mended.largest_cut_video = video.video;
}

const Json* sentences_of(const Json& entry, size_t events, AnnotationRules rules,
                         const std::string& place) {
  if (!entry.contains("sentences")) {
    check(rules.sentences == Sentences::optional, place, ": has no \"sentences\"");
    return nullptr;
  }
  const Json& sentences = entry["sentences"];
  check(sentences.is_array(), place, ": sentences: expected a list, got ", json_excerpt(sentences));
  check(sentences.size() == events, place, ": ", events, " timestamps but ", sentences.size(),
        " sentences");
  return &sentences;
}

VideoEvents parse_video(const std::string& video, const Json& entry, const std::string& name,
                        AnnotationRules rules, Mended& mended) {
  const std::string place = name + ": " + printable(video);
  check(entry.is_object(), place, ": expected {\"duration\", \"timestamps\", \"sentences\"}, got ",
        json_excerpt(entry));
  VideoEvents result{.video = video, .duration = parse_duration(entry, place)};
  check(entry.contains("timestamps"), place, ": has no \"timestamps\"");
  const Json& timestamps = entry["timestamps"];
  check(timestamps.is_array(), place, ": timestamps: expected a list, got ",
        json_excerpt(timestamps));
  const Json* sentences = sentences_of(entry, timestamps.size(), rules, place);
  for (size_t i = 0; i < timestamps.size(); ++i) {
    const std::string event_place = join_text(place, ": event ", i + 1);
    Event event{.segment = parse_segment(timestamps[i], event_place)};
    if (sentences) {
      check((*sentences)[i].is_string(), event_place, ": expected a sentence, got ",
            json_excerpt((*sentences)[i]));
      event.sentence = (*sentences)[i].get<std::string>();
    }
    if (!keeps(event.segment, result, rules, event_place, mended)) continue;
    if (rules.late_ends == LateEnds::cut) cut_to_video(event.segment, result, mended);
    result.events.push_back(std::move(event));
  }
  return result;
}

void report(const Mended& mended, const std::string& name, Log& log) {
  if (mended.cut > 0)
    log.warning(
        fmt::format("{}: {} events end after their video and were cut, the most in {} by {:.2f} s",
                    name, mended.cut, mended.largest_cut_video, mended.largest_cut));
  if (mended.reversed > 0)
    log.warning(
        fmt::format("{}: {} events end before they start and were left out, the first in {}", name,
                    mended.reversed, mended.first_reversed_video));
}

}  // namespace

Segment parse_segment(const Json& value, const std::string& place) {
  const bool pair =
      value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
  // Not check(), which would make the message of every good one, too.
  if (!pair) fail(place, ": expected [start, end] in seconds, got ", json_excerpt(value));
  const Segment segment{value[0].get<double>(), value[1].get<double>()};
  const bool sensible = std::isfinite(segment.start) && std::isfinite(segment.end) &&
                        segment.start >= 0 && segment.end >= 0;
  if (!sensible) fail(place, ": expected times of at least 0, got ", json_excerpt(value));
  return segment;
}

std::vector<VideoEvents> parse_annotations(std::string_view text, const std::string& name,
                                           AnnotationRules rules, Log& log) {
  std::vector<VideoEvents> videos;
  std::unordered_set<std::string> seen;
  Mended mended;
  for_each_json_entry(text, name, "", [&](const std::string& video, Json&& entry) {
    check(seen.insert(video).second, name, ": ", printable(video), " stands in it twice");
    videos.push_back(parse_video(video, entry, name, rules, mended));
  });
  report(mended, name, log);
  return videos;
}

std::vector<VideoEvents> read_annotations(const std::filesystem::path& path, AnnotationRules rules,
                                          Log& log) {
  const MappedFile file(path);
  return parse_annotations(as_text(file.bytes()), path.string(), rules, log);
}

std::string annotations_text(std::span<const VideoEvents> videos) {
  std::string text = "{";
  const char* separator = "\n";
  for (const VideoEvents& video : videos) {
    check(video.duration.has_value(), printable(video.video), ": has no duration");
    nlohmann::ordered_json entry = {
        {"duration", *video.duration}, {"timestamps", Json::array()}, {"sentences", Json::array()}};
    for (const Event& event : video.events) {
      entry["timestamps"].push_back({event.segment.start, event.segment.end});
      entry["sentences"].push_back(event.sentence);
    }
    text += separator + json_text(Json(video.video)) + ": " + json_text(entry);
    separator = ",\n";
  }
  return text + "\n}\n";
}

std::unordered_set<std::string> read_video_list(const std::filesystem::path& path) {
  const MappedFile file(path);
  const Json json = parse_json(as_text(file.bytes()), path.string());
  check(json.is_array() || json.is_object(), path, ": expected a list of videos");
  std::unordered_set<std::string> videos;
  for (const auto& [key, value] : json.items()) {
    check(json.is_object() || value.is_string(), path, ": expected a video's name, got ",
          json_excerpt(value));
    videos.insert(json.is_object() ? key : value.get<std::string>());
  }
  return videos;
}

std::vector<std::string> names_of_videos(const std::vector<VideoEvents>& videos) {
  std::vector<std::string> names;
  for (const VideoEvents& video : videos) names.push_back(video.video);
  return names;
}

}  // namespace pdvc
