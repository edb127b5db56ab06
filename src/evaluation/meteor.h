// METEOR 1.5 for English, ranking task: how much a hypothesis says the same as a reference.
//
//   const MeteorScorer scorer(MeteorData::open_cached());
//   const PreparedText reference = scorer.prepare("a man runs"), test = scorer.prepare("men run");
//   const double score = meteor_score(scorer.statistics(reference, test));
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "evaluation/meteor_data.h"
#include "evaluation/meteor_match.h"
#include "evaluation/meteor_text.h"

namespace pdvc {

// What a score is computed from. Numbers of words; "test" is the hypothesis.
struct MeteorStatistics {
  struct Matched {
    int64_t test_content = 0, reference_content = 0, test_function = 0, reference_function = 0;
  };
  int64_t test_length = 0, reference_length = 0;
  int64_t test_function_words = 0, reference_function_words = 0;
  std::array<Matched, kMeteorStages> matched;
  int64_t chunks = 0;
  int64_t test_matches = 0, reference_matches = 0;

  // In the order in which the original prints them.
  std::array<int64_t, 23> numbers() const;
  // Every word of both sides matched, all in one run.
  bool is_complete_in_one_chunk() const;
};

// From 0 to 1.
double meteor_score(const MeteorStatistics& statistics);

// Adds a pair to the sums over a set, which are scored like a pair. A pair that is matched
// completely in one chunk adds no chunk.
void add_to_set(MeteorStatistics& set, const MeteorStatistics& pair);

// Safe to use from many threads at once.
class MeteorScorer {
 public:
  explicit MeteorScorer(MeteorData data) : data_(std::move(data)) {}

  // The result serves as reference and as hypothesis, any number of times.
  PreparedText prepare(std::string_view text) const { return {text, data_}; }

  MeteorStatistics statistics(const PreparedText& reference, const PreparedText& hypothesis) const;
  // Against the reference that gives the best score, the first of equals.
  MeteorStatistics best_statistics(std::span<const PreparedText> references,
                                   const PreparedText& hypothesis) const;

 private:
  MeteorData data_;
};

}  // namespace pdvc
