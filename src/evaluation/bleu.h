// BLEU-1 to BLEU-4 (Papineni et al., 2002) as the COCO caption evaluation computes it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "evaluation/sentence_set.h"

namespace pdvc {

using BleuScores = std::array<double, kLongestNgram>;

// What BLEU counts; statistics of pairs add up to those of a set.
struct BleuStatistics {
  std::array<int64_t, kLongestNgram> correct = {};  // n-grams that a reference has too, clipped
  std::array<int64_t, kLongestNgram> guessed = {};  // n-grams of the hypothesis
  int64_t length = 0;
  int64_t reference_length = 0;  // of the reference whose length is closest

  BleuStatistics& operator+=(const BleuStatistics& other);
};

BleuStatistics bleu_statistics(const SentenceSet& sentences, const SentencePair& pair);
BleuStatistics bleu_statistics(const SentenceSet& sentences, std::span<const SentencePair> pairs);

// The four scores of a pair or of a set.
BleuScores bleu_scores(const BleuStatistics& statistics);

}  // namespace pdvc
