#include "evaluation/bleu.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pdvc {
namespace {

// What keeps empty counts from dividing by nothing, as published.
constexpr double kTiny = 1e-15, kSmall = 1e-9;

// How many n-grams of the hypothesis the reference has, each at most as often as there.
int64_t clipped_matches(std::span<const NgramCount> hypothesis,
                        std::span<const NgramCount> reference) {
  int64_t matches = 0;
  auto other = reference.begin();
  for (const NgramCount& own : hypothesis) {
    while (other != reference.end() && other->ngram < own.ngram) ++other;
    if (other == reference.end()) break;
    if (other->ngram == own.ngram) matches += std::min(own.count, other->count);
  }
  return matches;
}

// The most often that one of the references has each n-gram.
std::vector<NgramCount> largest_counts(const SentenceSet& sentences, const SentencePair& pair,
                                       int order) {
  std::vector<NgramCount> all;
  for (const size_t reference : pair.references)
    for (const NgramCount& count : sentences.ngrams(reference, order)) all.push_back(count);
  std::ranges::sort(all, [](const NgramCount& a, const NgramCount& b) {
    return std::tie(a.ngram, b.count) < std::tie(b.ngram, a.count);
  });
  const auto repeated = std::ranges::unique(all, {}, &NgramCount::ngram);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

// Of two equally close, the shorter.
int64_t closest_length(const SentenceSet& sentences, const SentencePair& pair, int64_t length) {
  const auto distance = [&](int64_t candidate) {
    return std::pair(std::abs(candidate - length), candidate);
  };
  int64_t closest = std::ssize(sentences.words(pair.references.at(0)));
  for (const size_t reference : pair.references)
    closest = std::min(closest, static_cast<int64_t>(std::ssize(sentences.words(reference))),
                       [&](int64_t a, int64_t b) { return distance(a) < distance(b); });
  return closest;
}

}  // namespace

BleuStatistics& BleuStatistics::operator+=(const BleuStatistics& other) {
  for (size_t k = 0; k < kLongestNgram; ++k) {
    correct[k] += other.correct[k];
    guessed[k] += other.guessed[k];
  }
  length += other.length;
  reference_length += other.reference_length;
  return *this;
}

BleuStatistics bleu_statistics(const SentenceSet& sentences, const SentencePair& pair) {
  BleuStatistics result;
  result.length = std::ssize(sentences.words(pair.hypothesis));
  result.reference_length = closest_length(sentences, pair, result.length);
  for (int order = 1; order <= kLongestNgram; ++order) {
    const auto k = static_cast<size_t>(order - 1);
    const auto own = sentences.ngrams(pair.hypothesis, order);
    result.guessed[k] = std::max<int64_t>(0, result.length - order + 1);
    result.correct[k] = pair.references.size() == 1
                            ? clipped_matches(own, sentences.ngrams(pair.references[0], order))
                            : clipped_matches(own, largest_counts(sentences, pair, order));
  }
  return result;
}

BleuStatistics bleu_statistics(const SentenceSet& sentences, std::span<const SentencePair> pairs) {
  BleuStatistics sum;
  for (const SentencePair& pair : pairs) sum += bleu_statistics(sentences, pair);
  return sum;
}

BleuScores bleu_scores(const BleuStatistics& s) {
  BleuScores scores;
  double product = 1;
  const double ratio =
      (static_cast<double>(s.length) + kTiny) / (static_cast<double>(s.reference_length) + kSmall);
  const double brevity = ratio < 1 ? std::exp(1 - 1 / ratio) : 1;
  for (size_t k = 0; k < kLongestNgram; ++k) {
    product *=
        (static_cast<double>(s.correct[k]) + kTiny) / (static_cast<double>(s.guessed[k]) + kSmall);
    scores[k] = std::pow(product, 1 / static_cast<double>(k + 1)) * brevity;
  }
  return scores;
}

}  // namespace pdvc
