#include "output/cues.h"

#include <algorithm>

#include "output/time_text.h"
#include "output/timed_sentences.h"

namespace pdvc {
namespace {

// Makes each long enough to be read, without leaving the video.
void lengthen(std::vector<TimedSentence>& sentences, int64_t shortest, int64_t last) {
  for (TimedSentence& sentence : sentences) {
    sentence.start = std::min(sentence.start, last - shortest);
    sentence.end = std::max(sentence.end, sentence.start + shortest);
  }
}

// Where the timeline is cut: starts and ends, each at least `shortest` after the one before.
std::vector<int64_t> borders_of(const std::vector<TimedSentence>& sentences, int64_t shortest) {
  std::vector<int64_t> all;
  for (const TimedSentence& sentence : sentences) {
    all.push_back(sentence.start);
    all.push_back(sentence.end);
  }
  std::ranges::sort(all);
  std::vector<int64_t> kept;
  for (const int64_t border : all)
    if (kept.empty() || border - kept.back() >= shortest) kept.push_back(border);
  return kept;
}

// Moves starts and ends to the last border before them. A sentence as long as a cue keeps a length,
// because its end cannot fall on the border of its start.
void move_to_borders(std::vector<TimedSentence>& sentences, const std::vector<int64_t>& borders) {
  const auto border_of = [&](int64_t time) {
    return *(std::ranges::upper_bound(borders, time) - 1);
  };
  for (TimedSentence& sentence : sentences) {
    sentence.start = border_of(sentence.start);
    sentence.end = border_of(sentence.end);
  }
}

std::vector<std::string> shown_during(const std::vector<TimedSentence>& sentences, int64_t start,
                                      int64_t end) {
  std::vector<std::string> shown;
  for (const TimedSentence& sentence : sentences) {
    const bool active = sentence.start <= start && sentence.end >= end;
    if (active && std::ranges::count(shown, sentence.text) == 0) shown.push_back(sentence.text);
  }
  return shown;
}

}  // namespace

std::vector<Cue> cues_of(const VideoEvents& video) {
  std::vector<TimedSentence> sentences = timed_sentences(video);
  const int64_t last = duration_in_milliseconds(video).value_or(kLatestMillisecond);
  const int64_t shortest = std::min(kShortestCue, last);
  lengthen(sentences, shortest, last);
  const std::vector<int64_t> borders = borders_of(sentences, shortest);
  move_to_borders(sentences, borders);
  std::vector<Cue> cues;
  for (size_t i = 0; i + 1 < borders.size(); ++i) {
    Cue cue{borders[i], borders[i + 1], shown_during(sentences, borders[i], borders[i + 1])};
    if (cue.sentences.empty()) continue;
    const bool goes_on =
        !cues.empty() && cues.back().end == cue.start && cues.back().sentences == cue.sentences;
    if (goes_on)
      cues.back().end = cue.end;
    else
      cues.push_back(std::move(cue));
  }
  return cues;
}

}  // namespace pdvc
