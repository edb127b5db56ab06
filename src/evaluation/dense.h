// Dense captioning scores of the ActivityNet challenge ("densevid_eval"): captions count where
// their times fit.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/localization.h"
#include "evaluation/meteor_pairs.h"

namespace pdvc {

// A caption and its tokens as evaluation_text makes them.
struct TokenizedCaption {
  std::string caption;
  std::string text;
};
TokenizedCaption tokenized(std::string_view caption);

// Events of one video as evaluators see them; times in seconds.
struct TokenizedEvents {
  std::vector<Segment> segments;
  std::vector<TokenizedCaption> captions;  // of each event
};

// The two releases differ in what a caption is compared with that overlaps no event, which changes
// METEOR alone.
enum class DenseYear { y2018, y2021 };
constexpr std::array<std::string_view, 2> names_of(DenseYear) { return {"2018", "2021"}; }
constexpr size_t kYears = names_of(DenseYear{}).size();

inline constexpr std::array<std::string_view, 9> kDenseMetrics = {
    "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr", "Recall", "Precision"};
constexpr size_t kDenseMeteor = 4, kDenseRouge = 5, kDenseCider = 6, kDenseRecall = 7,
                 kDensePrecision = 8;

using DenseScores = std::array<double, kDenseMetrics.size()>;  // in the order of the names
using DenseByThreshold = std::array<DenseScores, kThresholds.size()>;
using DenseByYear = std::array<DenseByThreshold, kYears>;

// The scores of one video against every annotator that has it; those of a data set are the mean
// over its videos. Zeros without predictions; METEOR is NaN without `meteor`.
DenseByYear dense_scores(std::span<const TokenizedEvents> annotators,
                         const TokenizedEvents& predictions, MeteorPairs* meteor);

}  // namespace pdvc
