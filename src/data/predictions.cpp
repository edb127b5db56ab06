#include "data/predictions.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/printable.h"
#include "data/annotations.h"

namespace pdvc {
namespace {

template <class Number>
std::optional<Number> optional_number(const Json& entry, const char* key,
                                      const std::string& place) {
  if (!entry.contains(key) || entry[key].is_null()) return std::nullopt;
  check(entry[key].is_number(), place, ": ", key, ": expected a number, got ",
        json_excerpt(entry[key]));
  const double value = entry[key].get<double>();
  if constexpr (std::is_integral_v<Number>)
    check(value >= -1e15 && value <= 1e15, place, ": ", key, ": ", json_excerpt(entry[key]),
          " is out of range");
  return static_cast<Number>(value);
}

Event parse_event(const Json& entry, VideoEvents& video, const std::string& place) {
  check(entry.is_object(), place, ": expected {\"timestamp\", \"sentence\"}, got ",
        json_excerpt(entry));
  check(entry.contains("timestamp"), place, ": has no \"timestamp\"");
  check(entry.contains("sentence") && entry["sentence"].is_string(), place,
        ": has no \"sentence\" of text");
  Event event{.segment = parse_segment(entry["timestamp"], place),
              .sentence = entry["sentence"].get<std::string>()};
  check(event.segment.start <= event.segment.end, place, ": ends before it starts (",
        event.segment.start, " to ", event.segment.end, " s)");
  event.proposal_score = optional_number<double>(entry, "proposal_score", place);
  event.sentence_score = optional_number<double>(entry, "sentence_score", place);
  event.joint_score = optional_number<double>(entry, "joint_score", place);
  event.query = optional_number<int64_t>(entry, "query_id", place);
  if (const auto duration = optional_number<double>(entry, "vid_duration", place))
    video.duration = duration;
  if (const auto count = optional_number<int64_t>(entry, "pred_event_count", place))
    video.predicted_count = count;
  return event;
}

// Other systems write all sorts of things here; what does not fit is passed over.
ExternalData parse_external_data(const Json& value) {
  ExternalData result;
  if (!value.is_object()) return result;
  if (value.contains("used") && value["used"].is_boolean()) result.used = value["used"].get<bool>();
  if (value.contains("details") && value["details"].is_string())
    result.details = value["details"].get<std::string>();
  return result;
}

std::string events_text(const VideoEvents& video) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const Event& event : video.events) {
    const Segment time = event.segment;
    check(std::isfinite(time.end) && time.start >= 0 && time.start <= time.end,
          printable(video.video), ": event ", entries.size() + 1, ": cannot be written with times ",
          time.start, " to ", time.end, " s");
    entries.push_back(prediction_json(event, video));
  }
  return json_text(entries);
}

}  // namespace

Predictions parse_predictions(std::string_view text, const std::string& name) {
  Predictions result;
  std::unordered_set<std::string> seen;
  const auto add = [&](const std::string& video, Json&& entries) {
    const std::string place = name + ": " + printable(video);
    check(seen.insert(video).second, place, ": stands in it twice");
    check(entries.is_array(), place, ": expected a list of events, got ", json_excerpt(entries));
    VideoEvents& events = result.videos.emplace_back(VideoEvents{.video = video});
    for (size_t i = 0; i < entries.size(); ++i)
      events.events.push_back(parse_event(entries[i], events, join_text(place, ": event ", i + 1)));
  };
  const Json rest = for_each_json_entry(text, name, "results", add);
  if (rest.contains("version") && rest["version"].is_string())
    result.version = rest["version"].get<std::string>();
  if (rest.contains("external_data"))
    result.external_data = parse_external_data(rest["external_data"]);
  return result;
}

Predictions read_predictions(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_predictions(as_text(file.bytes()), path.string());
}

nlohmann::ordered_json prediction_json(const Event& event, const VideoEvents& video) {
  nlohmann::ordered_json entry;
  const auto add = [&](const char* key, const auto& value) {
    if (value && std::isfinite(static_cast<double>(*value))) entry[key] = *value;
  };
  entry["timestamp"] = {event.segment.start, event.segment.end};
  entry["raw_box"] = entry["timestamp"];
  add("proposal_score", event.proposal_score);
  entry["sentence"] = event.sentence;
  add("sentence_score", event.sentence_score);
  add("query_id", event.query);
  add("vid_duration", video.duration);
  add("pred_event_count", video.predicted_count);
  add("joint_score", event.joint_score);
  return entry;
}

std::string predictions_text(const Predictions& predictions) {
  std::string text = "{\"results\": {";
  const char* separator = "\n";
  std::unordered_set<std::string> seen;
  for (const VideoEvents& video : predictions.videos) {
    const std::string key = json_text(Json(video.video));
    check(seen.insert(key).second, printable(video.video), ": two videos have this name");
    text += separator + key + ": " + events_text(video);
    separator = ",\n";
  }
  const nlohmann::ordered_json external = {{"used", predictions.external_data.used},
                                           {"details", predictions.external_data.details}};
  text += "\n}, \"version\": " + json_text(Json(predictions.version));
  return text + ", \"external_data\": " + json_text(external) + "}\n";
}

}  // namespace pdvc
