#include "output/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "output/line_text.h"
#include "output/listing.h"
#include "output/time_text.h"

namespace pdvc {
namespace {

std::vector<Event> in_time(std::vector<Event> events) {
  std::ranges::stable_sort(events, {}, [](const Event& event) {
    return std::pair(event.segment.start, event.segment.end);
  });
  return events;
}

// For each true event the prediction that stands below it: the best overlaps are given away first.
std::vector<std::optional<size_t>> paired(std::span<const Event> truth,
                                          std::span<const Event> said) {
  struct Pair {
    double overlap;
    size_t truth, said;
  };
  std::vector<Pair> pairs;
  for (size_t t = 0; t < truth.size(); ++t)
    for (size_t s = 0; s < said.size(); ++s)
      if (const double overlap = iou(truth[t].segment, said[s].segment); overlap > 0)
        pairs.push_back({overlap, t, s});
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &Pair::overlap);
  std::vector<std::optional<size_t>> partner(truth.size());
  std::vector<bool> taken(said.size());
  for (const Pair& pair : pairs)
    if (!partner[pair.truth] && !taken[pair.said]) {
      partner[pair.truth] = pair.said;
      taken[pair.said] = true;
    }
  return partner;
}

std::string line(const char* who, const Event& event) {
  return fmt::format(" {:<5} {}", who, event_line(event));
}

std::string said_line(const Event& event, std::optional<double> overlap) {
  std::string facts = overlap ? fmt::format("overlap {:.2f}", *overlap) : "one too many";
  if (event.proposal_score) facts += fmt::format(", sure {:.2f}", *event.proposal_score);
  return fmt::format("{} ({})\n", line("said", event), facts);
}

std::string video_text(const VideoEvents& truth, const VideoEvents* prediction) {
  const std::vector<Event> happens = in_time(truth.events),
                           said = prediction ? in_time(prediction->events) : std::vector<Event>{};
  const auto partner = paired(happens, said);
  std::vector<bool> shown(said.size());
  std::string text = one_line_name(truth.video) + "\n";
  for (size_t t = 0; t < happens.size(); ++t) {
    text += line("truth", happens[t]) + "\n";
    if (!partner[t]) continue;
    shown[*partner[t]] = true;
    const Event& below = said[*partner[t]];
    text += said_line(below, iou(happens[t].segment, below.segment));
  }
  for (size_t s = 0; s < said.size(); ++s)
    if (!shown[s]) text += said_line(said[s], std::nullopt);
  return text;
}

}  // namespace

std::string side_by_side_text(std::span<const VideoEvents> predictions,
                              std::span<const VideoEvents> truth) {
  std::map<std::string, const VideoEvents*> by_name;
  for (const VideoEvents& video : predictions) by_name[video.video] = &video;
  std::string text;
  for (const VideoEvents& video : truth) {
    const auto found = by_name.find(video.video);
    text += (text.empty() ? "" : "\n") +
            video_text(video, found == by_name.end() ? nullptr : found->second);
  }
  return text;
}

}  // namespace pdvc
