#include "evaluation/dense.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include "evaluation/bleu.h"
#include "evaluation/cider.h"
#include "evaluation/rouge.h"
#include "text/ptb_tokenizer.h"

namespace pdvc {
namespace {

constexpr size_t kMostPredictions = 1000;  // later ones do not count

// What a caption without an event is compared with. The second release draws a random word; that
// nothing else is like it is all that matters.
constexpr std::array<std::string_view, kYears> kGarbage = {"abc123!@#", "qzxwvkjqpfgh"};

const TokenizedCaption& garbage_caption() {
  static const TokenizedCaption garbage{std::string(kGarbage[0]), std::string(kGarbage[0])};
  return garbage;
}

// A prediction and a caption that it may be compared with; what does not depend on the threshold.
struct Candidate {
  double iou = 0;
  const TokenizedCaption* reference = nullptr;
  const TokenizedCaption* hypothesis = nullptr;
  SentencePair pair;
  BleuStatistics bleu;
  double rouge = 0;
  std::array<MeteorStatistics, kYears> meteor = {};
};

bool has_open_end(const Candidate& candidate) {
  return depends_on_next(candidate.reference->caption) ||
         depends_on_next(candidate.hypothesis->caption);
}

// All pairs of one video, made once for the four thresholds.
class VideoPairs {
 public:
  VideoPairs(std::span<const TokenizedEvents> annotators,
             std::span<const TokenizedCaption> predictions, std::span<const OverlapTable> overlaps,
             MeteorPairs* meteor)
      : meteor_(meteor), garbage_(predictions.size()), overlapping_(predictions.size()) {
    for (size_t p = 0; p < predictions.size(); ++p) {
      double best = 0;
      for (size_t a = 0; a < annotators.size(); ++a)
        for (size_t e = 0; e < annotators[a].captions.size(); ++e) {
          const double iou = overlaps[a].at(p, e);
          best = std::max(best, iou);
          if (iou >= kThresholds.front())
            overlapping_[p].push_back(candidate(iou, annotators[a].captions[e], predictions[p]));
        }
      if (best < kThresholds.back()) garbage_[p] = candidate(0, garbage_caption(), predictions[p]);
    }
  }

  // Each prediction with every event that it overlaps enough, else with garbage.
  std::vector<const Candidate*> at(double threshold) {
    std::vector<const Candidate*> chosen;
    for (size_t p = 0; p < garbage_.size(); ++p) {
      const size_t before = chosen.size();
      for (const Candidate& candidate : overlapping_[p])
        if (candidate.iou >= threshold) chosen.push_back(&candidate);
      if (chosen.size() == before) chosen.push_back(&garbage_[p]);
    }
    mind_next_lines(chosen);
    return chosen;
  }

  const SentenceSet& sentences() const { return sentences_; }

 private:
  Candidate candidate(double iou, const TokenizedCaption& reference,
                      const TokenizedCaption& hypothesis) {
    Candidate result{.iou = iou, .reference = &reference, .hypothesis = &hypothesis};
    compare(result, reference.text, hypothesis.text);
    return result;
  }

  // Evaluators cut all captions of a threshold into tokens at once, references and hypotheses
  // apart; the end of a few depends on the one that follows.
  void mind_next_lines(std::vector<const Candidate*>& chosen) {
    for (size_t i = 0; i + 1 < chosen.size(); ++i) {
      if (!has_open_end(*chosen[i])) continue;
      const Candidate& next = *chosen[i + 1];
      Candidate& changed = changed_.emplace_back(*chosen[i]);
      compare(changed, evaluation_text(changed.reference->caption, next.reference->caption),
              evaluation_text(changed.hypothesis->caption, next.hypothesis->caption));
      chosen[i] = &changed;
    }
  }

  void compare(Candidate& candidate, const std::string& reference, const std::string& hypothesis) {
    candidate.pair = {{sentences_.add(reference)}, sentences_.add(hypothesis)};
    candidate.bleu = bleu_statistics(sentences_, candidate.pair);
    candidate.rouge = rouge_l(sentences_, candidate.pair);
    if (!meteor_) return;
    // For all but METEOR the first garbage is as good as the second: no caption has either word.
    const bool garbage = candidate.reference == &garbage_caption();
    for (size_t year = 0; year < kYears; ++year)
      candidate.meteor[year] =
          meteor_->statistics(garbage ? kGarbage[year] : reference, hypothesis);
  }

  MeteorPairs* meteor_;
  SentenceSet sentences_;
  std::vector<Candidate> garbage_;                   // of each prediction that may need one
  std::vector<std::vector<Candidate>> overlapping_;  // of each prediction
  std::deque<Candidate> changed_;                    // by what follows them
};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double set_meteor(const std::vector<const Candidate*>& chosen, size_t year) {
  MeteorStatistics sum;
  for (const Candidate* candidate : chosen) add_to_set(sum, candidate->meteor[year]);
  return meteor_score(sum);
}

// All but METEOR, recall and precision.
DenseScores text_scores(const SentenceSet& sentences, const std::vector<const Candidate*>& chosen) {
  DenseScores scores = {};
  BleuStatistics bleu;
  std::vector<double> rouge;
  std::vector<SentencePair> pairs;
  for (const Candidate* candidate : chosen) {
    bleu += candidate->bleu;
    rouge.push_back(candidate->rouge);
    pairs.push_back(candidate->pair);
  }
  std::ranges::copy(bleu_scores(bleu), scores.begin());
  scores[kDenseRouge] = mean(rouge);
  scores[kDenseCider] = mean(cider_scores(sentences, pairs));
  return scores;
}

void add_localization(DenseScores& scores, std::span<const OverlapTable> overlaps,
                      double threshold) {
  for (const OverlapTable& table : overlaps) {
    scores[kDenseRecall] = std::max(scores[kDenseRecall], table.recall(threshold));
    scores[kDensePrecision] = std::max(scores[kDensePrecision], table.precision(threshold));
  }
}

std::vector<OverlapTable> overlap_tables(std::span<const TokenizedEvents> annotators,
                                         std::span<const Segment> predictions) {
  std::vector<OverlapTable> tables;
  for (const TokenizedEvents& annotator : annotators)
    tables.emplace_back(predictions, annotator.segments);
  return tables;
}

}  // namespace

TokenizedCaption tokenized(std::string_view caption) {
  return {std::string(caption), evaluation_text(caption)};
}

DenseByYear dense_scores(std::span<const TokenizedEvents> annotators,
                         const TokenizedEvents& predictions, MeteorPairs* meteor) {
  DenseByYear scores = {};
  for (DenseByThreshold& year : scores)
    for (DenseScores& at : year) at[kDenseMeteor] = meteor ? 0 : kNotComputed;
  const size_t count = std::min(predictions.segments.size(), kMostPredictions);
  if (count == 0) return scores;
  const auto overlaps = overlap_tables(annotators, std::span(predictions.segments).first(count));
  VideoPairs pairs(annotators, std::span(predictions.captions).first(count), overlaps, meteor);
  for (size_t t = 0; t < kThresholds.size(); ++t) {
    const auto chosen = pairs.at(kThresholds[t]);
    DenseScores both = text_scores(pairs.sentences(), chosen);
    add_localization(both, overlaps, kThresholds[t]);
    for (size_t year = 0; year < kYears; ++year) {
      scores[year][t] = both;
      scores[year][t][kDenseMeteor] = meteor ? set_meteor(chosen, year) : kNotComputed;
    }
  }
  return scores;
}

}  // namespace pdvc
