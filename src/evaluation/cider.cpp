#include "evaluation/cider.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pdvc {
namespace {

constexpr double kLengthVariance = 36;  // of the penalty for differing lengths: sigma 6
constexpr double kScale = 10;

// How much the n-grams of one order weigh in a set of pairs.
class Weights {
 public:
  Weights(const SentenceSet& sentences, std::span<const SentencePair> pairs, int order)
      : sentences_(sentences), order_(order), rarity_(sentences.ngram_kinds(order)) {
    const std::vector<size_t> frequency = pairs_with_each(pairs);
    const double all = std::log(static_cast<double>(pairs.size()));
    std::vector<double> logarithm(pairs.size() + 1);
    for (size_t n = 1; n < logarithm.size(); ++n) logarithm[n] = std::log(static_cast<double>(n));
    for (size_t n = 0; n < rarity_.size(); ++n) rarity_[n] = all - logarithm[frequency[n]];
    norms_.resize(sentences.size());
    for (size_t s = 0; s < norms_.size(); ++s) norms_[s] = norm(s);
  }

  // Cosine of the two, the hypothesis clipped to the reference.
  double similarity(size_t hypothesis, size_t reference) const {
    double sum = 0;
    const auto others = sentences_.ngrams(reference, order_);
    auto other = others.begin();
    for (const NgramCount& own : sentences_.ngrams(hypothesis, order_)) {
      while (other != others.end() && other->ngram < own.ngram) ++other;
      if (other == others.end()) break;
      if (other->ngram == own.ngram) sum += std::min(weight(own), weight(*other)) * weight(*other);
    }
    const double both = norms_[hypothesis] * norms_[reference];
    return both != 0 ? sum / both : sum;
  }

 private:
  // For each n-gram: in how many pairs a reference has it.
  std::vector<size_t> pairs_with_each(std::span<const SentencePair> pairs) const {
    std::vector<size_t> frequency(rarity_.size()), last_pair(rarity_.size());
    for (size_t p = 0; p < pairs.size(); ++p)
      for (const size_t reference : pairs[p].references)
        for (const NgramCount& count : sentences_.ngrams(reference, order_))
          if (std::exchange(last_pair[count.ngram], p + 1) != p + 1) ++frequency[count.ngram];
    return frequency;
  }

  double weight(const NgramCount& count) const { return count.count * rarity_[count.ngram]; }

  double norm(size_t sentence) const {
    double squares = 0;
    for (const NgramCount& count : sentences_.ngrams(sentence, order_))
      squares += weight(count) * weight(count);
    return std::sqrt(squares);
  }

  const SentenceSet& sentences_;
  int order_;
  std::vector<double> rarity_;  // log of (pairs / pairs that have it)
  std::vector<double> norms_;   // of each sentence
};

// The published code takes the number of word pairs for the length.
double length_of(const SentenceSet& sentences, size_t sentence) {
  return std::max(0.0, static_cast<double>(sentences.words(sentence).size()) - 1);
}

double length_penalty(const SentenceSet& sentences, size_t hypothesis, size_t reference) {
  const double difference = length_of(sentences, hypothesis) - length_of(sentences, reference);
  return std::exp(-difference * difference / (2 * kLengthVariance));
}

}  // namespace

std::vector<double> cider_scores(const SentenceSet& sentences,
                                 std::span<const SentencePair> pairs) {
  std::vector<double> scores(pairs.size());
  for (int order = 1; order <= kLongestNgram; ++order) {
    const Weights weights(sentences, pairs, order);
    for (size_t p = 0; p < pairs.size(); ++p)
      for (const size_t reference : pairs[p].references)
        scores[p] += weights.similarity(pairs[p].hypothesis, reference) *
                     length_penalty(sentences, pairs[p].hypothesis, reference) /
                     static_cast<double>(pairs[p].references.size());
  }
  for (double& score : scores) score *= kScale / kLongestNgram;
  return scores;
}

}  // namespace pdvc
