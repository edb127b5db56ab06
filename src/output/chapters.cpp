#include "output/chapters.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "output/timed_sentences.h"

namespace pdvc {
namespace {

constexpr const char* kIntroduction = "Introduction";

int64_t last_end(const std::vector<TimedSentence>& sentences) {
  int64_t last = 0;
  for (const TimedSentence& sentence : sentences) last = std::max(last, sentence.end);
  return last;
}

// Where the sentence's chapter begins, so that there is none or a whole one before it.
int64_t beginning_of(const TimedSentence& sentence, int64_t shortest, int64_t last) {
  if (sentence.start >= shortest) return sentence.start;
  const bool nearer_to_zero = sentence.start < shortest - sentence.start;
  const bool fits_later = sentence.end > shortest && last - shortest >= shortest;
  return nearer_to_zero || !fits_later ? 0 : shortest;
}

// The chapters by falling score, without ends.
std::vector<Chapter> choose(std::vector<TimedSentence> sentences, int64_t shortest, int64_t last) {
  std::ranges::stable_sort(sentences, std::ranges::greater{}, &TimedSentence::score);
  std::vector<Chapter> chosen;
  for (TimedSentence& sentence : sentences) {
    const int64_t start = beginning_of(sentence, shortest, last);
    const bool ends_too_soon = start > 0 && last - start < shortest;
    const bool taken = std::ranges::any_of(
        chosen, [&](const Chapter& other) { return std::abs(other.start - start) < shortest; });
    if (!ends_too_soon && !taken)
      chosen.push_back({.start = start, .title = std::move(sentence.text)});
  }
  return chosen;
}

}  // namespace

std::vector<Chapter> chapters_of(const VideoEvents& video, int64_t shortest) {
  const std::vector<TimedSentence> sentences = timed_sentences(video);
  const int64_t last = duration_in_milliseconds(video).value_or(last_end(sentences));
  std::vector<Chapter> chapters = choose(sentences, shortest, last);
  std::ranges::sort(chapters, {}, &Chapter::start);
  if (!chapters.empty() && chapters.front().start > 0)
    chapters.insert(chapters.begin(), {.start = 0, .title = kIntroduction});
  for (size_t i = 0; i < chapters.size(); ++i)
    chapters[i].end = i + 1 < chapters.size() ? chapters[i + 1].start : last;
  return chapters;
}

}  // namespace pdvc
