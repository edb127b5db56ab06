#include "evaluation/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/interrupt.h"
#include "base/parallel.h"

namespace pdvc {
namespace {

constexpr double kOutsideOnEachSide = 0.025;

using Samples = std::vector<std::vector<double>>;  // [headline score][resample]

// How often each video is drawn.
std::vector<int> draw(size_t videos, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> times(videos);
  for (size_t i = 0; i < videos; ++i) ++times[random() % videos];
  return times;
}

ScoreSums total_of(const SystemResult& system, const std::vector<int>& times) {
  ScoreSums sum;
  for (size_t v = 0; v < times.size(); ++v)
    for (int i = 0; i < times[v]; ++i) sum += system.videos[v].sums;
  return sum;
}

// `values` in any order.
Interval middle_of(std::vector<double> values) {
  if (std::ranges::any_of(values, [](double v) { return std::isnan(v); }))
    return {kNotComputed, kNotComputed};
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double share) {
    return values[static_cast<size_t>(std::lround(share * last))];
  };
  return {at(kOutsideOnEachSide), at(1 - kOutsideOnEachSide)};
}

double two_sided_p(const std::vector<double>& differences) {
  const auto above = std::ranges::count_if(differences, [](double d) { return d >= 0; });
  const auto below = std::ranges::count_if(differences, [](double d) { return d <= 0; });
  // The real sample counts as one more resample, so that p is never 0.
  return std::min(1.0, 2 * static_cast<double>(std::min(above, below) + 1) /
                           static_cast<double>(differences.size() + 1));
}

BootstrapScore compare(const std::vector<double>& own, const std::vector<double>& first,
                       double difference) {
  BootstrapScore score{.interval = middle_of(own), .difference = difference};
  std::vector<double> differences(own.size());
  for (size_t i = 0; i < own.size(); ++i) differences[i] = own[i] - first[i];
  score.difference_interval = middle_of(differences);
  score.p = std::isnan(difference) ? kNotComputed : two_sided_p(differences);
  return score;
}

void add_dense(std::vector<HeadlineScore>& headline, const DenseSummary& dense,
               const std::string& year) {
  for (size_t m = 0; m < kDenseMetrics.size(); ++m)
    headline.push_back({year + " " + std::string(kDenseMetrics[m]), dense.mean[m]});
  headline.push_back({year + " F1", dense.f1});
}

}  // namespace

std::vector<HeadlineScore> headline_scores(const Scores& scores, const ReportedScores& reported) {
  std::vector<HeadlineScore> headline;
  for (const DenseYear year : reported.years) {
    const auto y = static_cast<size_t>(year);
    add_dense(headline, scores.dense[y], std::string(names_of(year)[y]));
  }
  for (const SodaKind kind : reported.soda) {
    const auto k = static_cast<size_t>(kind);
    const std::string name = "SODA " + std::string(names_of(kind)[k]);
    headline.push_back({name, scores.soda[k].f1});
    headline.push_back({name + " micro", scores.soda[k].micro_f1});
  }
  if (reported.paragraphs)
    for (size_t m = 0; m < kParagraphMetrics.size(); ++m)
      headline.push_back({"paragraph " + std::string(kParagraphMetrics[m]), scores.paragraph[m]});
  return headline;
}

std::vector<std::vector<BootstrapScore>> bootstrap(std::span<const SystemResult> systems,
                                                   const ReportedScores& reported,
                                                   int64_t resamples, uint64_t seed, int threads) {
  std::vector<std::vector<HeadlineScore>> whole;
  std::vector<Samples> samples;
  for (const SystemResult& system : systems) {
    whole.push_back(headline_scores(scores_of(system.total()), reported));
    samples.emplace_back(whole[0].size(), std::vector<double>(static_cast<size_t>(resamples)));
  }
  parallel_for(threads, resamples, [&](int64_t index) {
    check_interrupt();
    const auto i = static_cast<size_t>(index);
    const std::vector<int> times = draw(systems[0].videos.size(), seed + i);
    for (size_t s = 0; s < systems.size(); ++s) {
      const auto headline = headline_scores(scores_of(total_of(systems[s], times)), reported);
      for (size_t h = 0; h < headline.size(); ++h) samples[s][h][i] = headline[h].value;
    }
  });
  std::vector<std::vector<BootstrapScore>> results(systems.size());
  for (size_t s = 0; s < systems.size(); ++s)
    for (size_t h = 0; h < whole[s].size(); ++h)
      results[s].push_back(
          compare(samples[s][h], samples[0][h], whole[s][h].value - whole[0][h].value));
  return results;
}

}  // namespace pdvc
