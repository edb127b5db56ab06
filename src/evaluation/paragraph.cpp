#include "evaluation/paragraph.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "evaluation/cider.h"
#include "evaluation/rouge.h"

namespace pdvc {
namespace {

constexpr std::string_view kAfterSentence = ". ";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

MeteorStatistics best_meteor(const Paragraph& paragraph, const MeteorScorer& scorer) {
  std::vector<PreparedText> references;
  for (const std::string& reference : paragraph.references)
    references.push_back(scorer.prepare(reference));
  return scorer.best_statistics(references, scorer.prepare(paragraph.prediction));
}

}  // namespace

std::string paragraph_text(std::string_view text) {
  std::string result;
  bool between = false;
  for (const char c : text) {
    if (!is_letter(c)) {
      between = !result.empty();
      continue;
    }
    if (std::exchange(between, false)) result += ' ';
    result += static_cast<char>(c | 0x20);
  }
  return result;
}

std::string joined_paragraph(std::span<const std::string> sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    text += sentence;
    text += kAfterSentence;
  }
  return paragraph_text(text);
}

ParagraphSums& ParagraphSums::operator+=(const ParagraphSums& other) {
  videos += other.videos;
  bleu += other.bleu;
  has_meteor = has_meteor || other.has_meteor;
  add_to_set(meteor, other.meteor);
  rouge += other.rouge;
  cider += other.cider;
  return *this;
}

std::vector<ParagraphSums> score_paragraphs(std::span<const Paragraph> paragraphs,
                                            const MeteorScorer* meteor, int threads) {
  SentenceSet sentences;
  std::vector<SentencePair> pairs;
  for (const Paragraph& paragraph : paragraphs) {
    SentencePair& pair = pairs.emplace_back();
    pair.hypothesis = sentences.add(paragraph.prediction);
    for (const std::string& text : paragraph.references)
      pair.references.push_back(sentences.add(text));
  }
  const std::vector<double> cider = cider_scores(sentences, pairs);
  std::vector<ParagraphSums> sums(paragraphs.size());
  parallel_for(threads, std::ssize(paragraphs), [&](int64_t index) {
    const auto i = static_cast<size_t>(index);
    sums[i].videos = 1;
    sums[i].bleu = bleu_statistics(sentences, pairs[i]);
    sums[i].rouge = rouge_l(sentences, pairs[i]);
    sums[i].cider = cider[i];
    sums[i].has_meteor = meteor != nullptr;
    if (meteor) sums[i].meteor = best_meteor(paragraphs[i], *meteor);
  });
  return sums;
}

ParagraphScores paragraph_scores(const ParagraphSums& sums) {
  ParagraphScores scores = {};
  if (sums.videos == 0) return scores;
  const BleuScores bleu = bleu_scores(sums.bleu);
  std::ranges::copy(bleu, scores.begin());
  scores[4] = sums.has_meteor ? meteor_score(sums.meteor) : kNotComputed;
  scores[5] = sums.rouge / sums.videos;
  scores[6] = sums.cider / sums.videos;
  return scores;
}

}  // namespace pdvc
