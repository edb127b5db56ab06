#include "evaluation/soda.h"

#include <algorithm>

#include "evaluation/localization.h"

namespace pdvc {
namespace {

constexpr double kOutside = -1;  // a neighbour outside the table never wins

// The table of best totals, a row at a time; tells `visit` the row, the column and whether the
// last pair of the best matching up to there is that very pair. Of equals the earlier in the order
// above, left, diagonal wins.
template <class Visit>
double fill_table(size_t events, size_t predictions, const PairValue& weight, Visit&& visit) {
  if (events == 0 || predictions == 0) return 0;
  std::vector<double> above(predictions, kOutside), row(predictions);
  for (size_t i = 0; i < events; ++i) {
    for (size_t j = 0; j < predictions; ++j) {
      const double diagonal = weight(i, j) + (i > 0 && j > 0 ? above[j - 1] : 0);
      const double skipped = std::max(above[j], j > 0 ? row[j - 1] : kOutside);
      row[j] = std::max(skipped, diagonal);
      visit(i, j, diagonal > skipped);
    }
    std::swap(above, row);
  }
  return above.back();
}

double meteor_of_matching(const SodaVideo& video, const PairValue& weight) {
  double sum = 0;
  for (const auto& [event, prediction] :
       best_matching(video.events, video.predictions, weight).pairs)
    sum += video.meteor(event, prediction);
  return sum;
}

double total_above(double threshold, const SodaVideo& video) {
  return meteor_of_matching(video, [&](size_t event, size_t prediction) {
    const double iou = video.iou(event, prediction);
    return iou < threshold ? 0 : iou;
  });
}

double mean_total_over_thresholds(const SodaVideo& video) {
  double sum = 0;
  for (const double threshold : kThresholds) sum += total_above(threshold, video);
  return sum / std::size(kThresholds);
}

double product_total(const SodaVideo& video) {
  const auto weight = [&](size_t event, size_t prediction) {
    const double iou = video.iou(event, prediction);
    return iou == 0 ? 0 : iou * video.meteor(event, prediction);
  };
  return best_matching_total(video.events, video.predictions, weight);
}

}  // namespace

double best_matching_total(size_t events, size_t predictions, const PairValue& weight) {
  return fill_table(events, predictions, weight, [](size_t, size_t, bool) {});
}

Matching best_matching(size_t events, size_t predictions, const PairValue& weight) {
  std::vector<bool> is_pair(events * predictions);
  Matching matching;
  matching.total = fill_table(events, predictions, weight, [&](size_t i, size_t j, bool pair) {
    is_pair[i * predictions + j] = pair;
  });
  size_t end = predictions;  // columns before it are still free
  for (size_t i = events; i-- > 0;)
    for (size_t j = end; j-- > 0;)
      if (is_pair[i * predictions + j]) {
        matching.pairs.emplace_back(i, j);
        end = j;
        break;
      }
  return matching;
}

double soda_total(SodaKind kind, const SodaVideo& video) {
  switch (kind) {
    case SodaKind::a:
      return mean_total_over_thresholds(video);
    case SodaKind::b:
      return total_above(0, video);
    case SodaKind::c:
      return product_total(video);
    case SodaKind::d:
      return best_matching_total(video.events, video.predictions, video.iou);
  }
  return 0;
}

SodaScore soda_score(double total, double events, double predictions) {
  SodaScore score;
  if (predictions > 0) score.precision = total / predictions;
  if (events > 0) score.recall = total / events;
  score.f1 = f1_score(score.precision, score.recall);
  return score;
}

}  // namespace pdvc
