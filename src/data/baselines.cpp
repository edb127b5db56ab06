#include "data/baselines.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/printable.h"

namespace pdvc {
namespace {

std::string plain(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

double duration_of(const VideoEvents& video) {
  check(video.duration > 0.0, printable(video.video), ": has no duration");
  return *video.duration;
}

size_t average_count(std::span<const VideoEvents> annotated) {
  size_t events = 0;
  for (const VideoEvents& video : annotated) events += video.events.size();
  const double mean = static_cast<double>(events) / static_cast<double>(annotated.size());
  return static_cast<size_t>(std::max(1L, std::lround(mean)));
}

// Parts of the duration. Videos with more or fewer events are stretched to the count: the k-th of n
// events stands for place (k + 1/2) / n.
std::vector<Segment> average_segments(std::span<const VideoEvents> annotated, size_t count) {
  std::vector<Segment> sums(count);
  std::vector<double> found(count);
  for (const VideoEvents& video : annotated) {
    std::vector<Segment> segments;
    for (const Event& event : video.events) segments.push_back(event.segment);
    std::ranges::stable_sort(segments, {}, &Segment::start);
    for (size_t i = 0; i < count && !segments.empty(); ++i) {
      const Segment& nearest = segments[(2 * i + 1) * segments.size() / (2 * count)];
      sums[i].start += nearest.start / duration_of(video);
      sums[i].end += nearest.end / duration_of(video);
      ++found[i];
    }
  }
  for (size_t i = 0; i < count; ++i) {
    check(found[i] > 0, "the annotations hold no event");
    sums[i].start /= found[i];
    sums[i].end /= found[i];
  }
  return sums;
}

}  // namespace

std::string most_frequent_sentence(std::span<const VideoEvents> annotated) {
  std::unordered_map<std::string, int64_t> counts;
  for (const VideoEvents& video : annotated)
    for (const Event& event : video.events) ++counts[plain(event.sentence)];
  const std::string* best = nullptr;
  int64_t most = 0;
  for (const VideoEvents& video : annotated)
    for (const Event& event : video.events)
      if (const int64_t count = counts[plain(event.sentence)]; count > most) {
        most = count;
        best = &event.sentence;
      }
  check(best != nullptr, "the annotations hold no sentence");
  return *best;
}

std::vector<VideoEvents> average_events(std::span<const VideoEvents> annotated,
                                        std::span<const VideoEvents> wanted) {
  const std::string sentence = most_frequent_sentence(annotated);
  const std::vector<Segment> segments = average_segments(annotated, average_count(annotated));
  std::vector<VideoEvents> result;
  for (const VideoEvents& video : wanted) {
    VideoEvents& made =
        result.emplace_back(VideoEvents{.video = video.video, .duration = duration_of(video)});
    for (const Segment& part : segments)
      made.events.push_back({.segment = {part.start * duration_of(video),
                                         std::min(1.0, part.end) * duration_of(video)},
                             .sentence = sentence});
  }
  return result;
}

std::vector<VideoEvents> given_segments(std::span<const VideoEvents> annotated,
                                        std::span<const VideoEvents> wanted) {
  const std::string sentence = most_frequent_sentence(annotated);
  std::vector<VideoEvents> result(wanted.begin(), wanted.end());
  for (VideoEvents& video : result)
    for (Event& event : video.events) event.sentence = sentence;
  return result;
}

}  // namespace pdvc
