// Everything that is known about one video's predictions, how it adds up over videos, and the
// scores that come of it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "evaluation/dense.h"
#include "evaluation/paragraph.h"
#include "evaluation/soda.h"

namespace pdvc {

constexpr size_t kSodaKinds = names_of(SodaKind{}).size();

// Against one annotator. Only videos that have predictions count.
struct SodaSums {
  double videos = 0, events = 0, predictions = 0;
  std::array<double, kSodaKinds> total = {}, precision = {}, recall = {}, f1 = {};

  void add(SodaKind kind, double video_total, SodaScore score);
  SodaSums& operator+=(const SodaSums& other);
};

// One video's part of every score; sums over videos give those of a data set, sums over a resample
// those of the resample.
struct ScoreSums {
  double videos = 0;  // of the reference files
  DenseByYear dense = {};
  std::vector<SodaSums> soda;  // one for each reference file
  ParagraphSums paragraph;

  ScoreSums& operator+=(const ScoreSums& other);
};

struct DenseSummary {
  DenseByThreshold thresholds = {};
  DenseScores mean = {};
  double f1 = 0;  // of the means of precision and recall
};

struct SodaSummary {
  std::vector<SodaScore> annotators;  // means over videos
  std::vector<double> micro;          // F1 of all videos' sums, as the first release has it
  double f1 = 0, micro_f1 = 0;        // means over the annotators that have videos
};

// What is reported. Numbers that need METEOR are NaN without it.
struct Scores {
  std::array<DenseSummary, kYears> dense;
  std::array<SodaSummary, kSodaKinds> soda;
  ParagraphScores paragraph = {};
};
Scores scores_of(const ScoreSums& sums);

}  // namespace pdvc
