// METEOR of the sentences of one video: each sentence prepared once, each pair compared once.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

#include "evaluation/meteor.h"

namespace pdvc {

// What needs METEOR's data where they are missing.
constexpr double kNotComputed = std::numeric_limits<double>::quiet_NaN();

// Not for several threads at a time; the scorer is, and must outlive this.
class MeteorPairs {
 public:
  explicit MeteorPairs(const MeteorScorer& scorer) : scorer_(scorer) {}

  // Texts as evaluation_text made them.
  const MeteorStatistics& statistics(std::string_view reference, std::string_view hypothesis);
  // For pairs of which nothing but the score is wanted: that takes less memory to keep.
  double score(std::string_view reference, std::string_view hypothesis);

 private:
  struct Sentence {
    std::string text;
    PreparedText prepared;
  };
  uint64_t number(std::string_view text);
  MeteorStatistics compare(uint64_t reference, uint64_t hypothesis) const;

  const MeteorScorer& scorer_;
  std::deque<Sentence> sentences_;  // stable: the map below looks into the texts
  std::unordered_map<std::string_view, uint64_t> numbers_;
  // By both numbers in one.
  std::unordered_map<uint64_t, MeteorStatistics> statistics_;
  std::unordered_map<uint64_t, double> scores_;
};

}  // namespace pdvc
