#include "runtime/windows.h"

#include <algorithm>
#include <cmath>

namespace pdvc {
namespace {

constexpr double kSameTime = 0.7;  // IoU from which two events are the same
constexpr double kEdge = 0.01;     // of a window: an event this close to its edge goes on beyond it
constexpr double kSeenWhole = 0.5;  // of a cut event that the whole one must cover

struct Candidate {
  Event event;
  size_t window;
  bool cut;
};

bool is_cut(const Segment& event, const Segment& window, double duration) {
  const double edge = kEdge * window.length();
  const bool at_start = event.start < window.start + edge && window.start > 0;
  const bool at_end = event.end > window.end - edge && window.end < duration;
  return at_start || at_end;
}

double overlap(const Segment& a, const Segment& b) {
  return std::max(0.0, std::min(a.end, b.end) - std::max(a.start, b.start));
}

bool is_neighbour(const Candidate& a, const Candidate& b, std::span<const Segment> windows) {
  return a.window != b.window && overlap(windows[a.window], windows[b.window]) > 0;
}

bool is_seen_whole(const Candidate& cut, std::span<const Candidate> all,
                   std::span<const Segment> windows) {
  return std::ranges::any_of(all, [&](const Candidate& other) {
    return !other.cut && is_neighbour(cut, other, windows) &&
           overlap(cut.event.segment, other.event.segment) >=
               kSeenWhole * cut.event.segment.length();
  });
}

double score_of(const Event& event) {
  return event.joint_score.value_or(event.proposal_score.value_or(0));
}

// The better of events at the same time. Events of one window are different by the model's own
// word.
std::vector<Event> without_repeats(std::vector<Candidate> candidates) {
  std::ranges::stable_sort(candidates, std::ranges::greater(),
                           [](const Candidate& c) { return score_of(c.event); });
  std::vector<Candidate> kept;
  for (Candidate& candidate : candidates) {
    const bool repeats = std::ranges::any_of(kept, [&](const Candidate& other) {
      return other.window != candidate.window &&
             iou(other.event.segment, candidate.event.segment) >= kSameTime;
    });
    if (!repeats) kept.push_back(std::move(candidate));
  }
  std::vector<Event> events;
  for (Candidate& candidate : kept) events.push_back(std::move(candidate.event));
  return events;
}

}  // namespace

std::vector<Segment> windows_of(double duration, double length) {
  if (duration <= length) return {{0, duration}};
  const double step = length / 2;
  const auto count = static_cast<int64_t>(std::ceil((duration - length) / step)) + 1;
  std::vector<Segment> windows;
  for (int64_t i = 0; i < count; ++i) {
    const double start = std::min(static_cast<double>(i) * step, duration - length);
    windows.push_back({start, start + length});
  }
  return windows;
}

WindowRows rows_of(const Segment& window, double duration, int64_t rows) {
  const double per_second = static_cast<double>(rows) / duration;
  const auto first = std::clamp<int64_t>(std::llround(window.start * per_second), 0, rows - 1);
  const auto last = std::clamp<int64_t>(std::llround(window.end * per_second), first + 1, rows);
  return {first, last - first};
}

std::vector<Event> merge_windows(std::span<const Segment> windows,
                                 std::span<const std::vector<Event>> events, double duration) {
  std::vector<Candidate> all;
  for (size_t w = 0; w < windows.size(); ++w)
    for (const Event& event : events[w])
      all.push_back({event, w, is_cut(event.segment, windows[w], duration)});
  std::vector<Candidate> whole;
  for (const Candidate& candidate : all)
    if (!candidate.cut || !is_seen_whole(candidate, all, windows)) whole.push_back(candidate);
  std::vector<Event> merged = without_repeats(std::move(whole));
  std::ranges::stable_sort(merged, [](const Event& a, const Event& b) {
    return std::pair(a.segment.start, a.segment.end) < std::pair(b.segment.start, b.segment.end);
  });
  return merged;
}

}  // namespace pdvc
