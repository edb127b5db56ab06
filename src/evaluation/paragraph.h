// Scores of whole descriptions: a video's captions as one paragraph against the annotators'.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/bleu.h"
#include "evaluation/meteor_pairs.h"

namespace pdvc {

inline constexpr std::array<std::string_view, 7> kParagraphMetrics = {
    "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr"};
using ParagraphScores = std::array<double, kParagraphMetrics.size()>;  // in the order of the names

// Lower-case words, a space between two; whatever is not one of the 26 letters separates them.
std::string paragraph_text(std::string_view text);
// One text of a video's sentences, in the order given.
std::string joined_paragraph(std::span<const std::string> sentences);

// The paragraphs of one video, as paragraph_text leaves them.
struct Paragraph {
  std::vector<std::string> references;  // at least one
  std::string prediction;               // empty where there is none
};

// What the scores of one video are made of; sums over videos give those of a data set.
struct ParagraphSums {
  double videos = 0;
  BleuStatistics bleu;
  bool has_meteor = false;
  MeteorStatistics meteor;
  double rouge = 0, cider = 0;

  ParagraphSums& operator+=(const ParagraphSums& other);
};

// Of each paragraph; the rarity of words that CIDEr needs is that of the whole set. METEOR is
// left out without a scorer.
std::vector<ParagraphSums> score_paragraphs(std::span<const Paragraph> paragraphs,
                                            const MeteorScorer* meteor, int threads);

// Zeros without videos; METEOR is NaN where it was left out.
ParagraphScores paragraph_scores(const ParagraphSums& sums);

}  // namespace pdvc
