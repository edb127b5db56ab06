#include "output/timed_sentences.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "output/line_text.h"
#include "output/time_text.h"

namespace pdvc {
namespace {

double score_of(const Event& event) {
  const double score = event.joint_score.value_or(event.proposal_score.value_or(0));
  return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
}

}  // namespace

std::optional<int64_t> duration_in_milliseconds(const VideoEvents& video) {
  if (!video.duration || !std::isfinite(*video.duration)) return std::nullopt;
  const int64_t duration = to_milliseconds(*video.duration);
  return duration > 0 ? std::optional(duration) : std::nullopt;
}

std::vector<TimedSentence> timed_sentences(const VideoEvents& video) {
  const int64_t last = duration_in_milliseconds(video).value_or(kLatestMillisecond);
  std::vector<TimedSentence> sentences;
  for (const Event& event : video.events) {
    if (std::isnan(event.segment.start) || std::isnan(event.segment.end)) continue;
    TimedSentence sentence{.start = to_milliseconds(event.segment.start),
                           .end = std::min(last, to_milliseconds(event.segment.end)),
                           .text = one_line(event.sentence),
                           .score = score_of(event)};
    if (sentence.start < sentence.end && !sentence.text.empty())
      sentences.push_back(std::move(sentence));
  }
  std::ranges::stable_sort(sentences, {}, [](const TimedSentence& sentence) {
    return std::pair(sentence.start, sentence.end);
  });
  return sentences;
}

}  // namespace pdvc
