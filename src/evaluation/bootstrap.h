// How sure scores are: intervals over videos, and whether one system is really better than another.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluation/evaluate.h"

namespace pdvc {

// Which scores are wanted.
struct ReportedScores {
  std::vector<DenseYear> years = {DenseYear::y2018, DenseYear::y2021};
  std::vector<SodaKind> soda = {SodaKind::c};
  bool paragraphs = false;
};

// The numbers that people compare: means over thresholds, F1 scores, paragraph scores.
struct HeadlineScore {
  std::string name;  // "2018 METEOR", "SODA c", "paragraph CIDEr"
  double value = 0;
};
std::vector<HeadlineScore> headline_scores(const Scores& scores, const ReportedScores& reported);

struct Interval {
  double low = 0, high = 0;
};

// Of one headline score of one system.
struct BootstrapScore {
  Interval interval;  // 95 % of the resamples lie in it
  // Against the first system on the same resamples.
  double difference = 0;
  Interval difference_interval;
  double p = 1;  // two-sided: how often chance alone would turn the difference around
};

// [system][headline score]: `resamples` times, as many videos are drawn with replacement as there
// are, and all is scored anew (CIDEr of paragraphs keeps the rarity of words in the whole set). The
// draws depend on `seed` alone, not on the number of threads.
std::vector<std::vector<BootstrapScore>> bootstrap(std::span<const SystemResult> systems,
                                                   const ReportedScores& reported,
                                                   int64_t resamples, uint64_t seed, int threads);

}  // namespace pdvc
