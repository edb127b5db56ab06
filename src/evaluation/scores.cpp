#include "evaluation/scores.h"

namespace pdvc {
namespace {

template <size_t N>
void add(std::array<double, N>& sums, const std::array<double, N>& values) {
  for (size_t i = 0; i < N; ++i) sums[i] += values[i];
}

DenseSummary summary_of(const DenseByThreshold& sums, double videos) {
  DenseSummary result;
  if (videos == 0) return result;
  for (size_t t = 0; t < sums.size(); ++t)
    for (size_t m = 0; m < kDenseMetrics.size(); ++m) {
      result.thresholds[t][m] = sums[t][m] / videos;
      result.mean[m] += result.thresholds[t][m] / static_cast<double>(sums.size());
    }
  result.f1 = f1_score(result.mean[kDensePrecision], result.mean[kDenseRecall]);
  return result;
}

SodaSummary summary_of(const std::vector<SodaSums>& annotators, size_t kind) {
  SodaSummary result;
  double with_videos = 0;
  for (const SodaSums& sums : annotators) {
    SodaScore& score = result.annotators.emplace_back();
    double& micro = result.micro.emplace_back();
    if (sums.videos == 0) continue;
    score = {sums.precision[kind] / sums.videos, sums.recall[kind] / sums.videos,
             sums.f1[kind] / sums.videos};
    micro = soda_score(sums.total[kind], sums.events, sums.predictions).f1;
    result.f1 += score.f1;
    result.micro_f1 += micro;
    ++with_videos;
  }
  if (with_videos == 0) return result;
  result.f1 /= with_videos;
  result.micro_f1 /= with_videos;
  return result;
}

}  // namespace

void SodaSums::add(SodaKind kind, double video_total, SodaScore score) {
  const auto k = static_cast<size_t>(kind);
  total[k] += video_total;
  precision[k] += score.precision;
  recall[k] += score.recall;
  f1[k] += score.f1;
}

SodaSums& SodaSums::operator+=(const SodaSums& other) {
  videos += other.videos;
  events += other.events;
  predictions += other.predictions;
  pdvc::add(total, other.total);
  pdvc::add(precision, other.precision);
  pdvc::add(recall, other.recall);
  pdvc::add(f1, other.f1);
  return *this;
}

ScoreSums& ScoreSums::operator+=(const ScoreSums& other) {
  videos += other.videos;
  for (size_t y = 0; y < dense.size(); ++y)
    for (size_t t = 0; t < dense[y].size(); ++t) add(dense[y][t], other.dense[y][t]);
  soda.resize(std::max(soda.size(), other.soda.size()));
  for (size_t a = 0; a < other.soda.size(); ++a) soda[a] += other.soda[a];
  paragraph += other.paragraph;
  return *this;
}

Scores scores_of(const ScoreSums& sums) {
  Scores scores;
  for (size_t y = 0; y < kYears; ++y) scores.dense[y] = summary_of(sums.dense[y], sums.videos);
  for (size_t k = 0; k < kSodaKinds; ++k) scores.soda[k] = summary_of(sums.soda, k);
  scores.paragraph = paragraph_scores(sums.paragraph);
  return scores;
}

}  // namespace pdvc
