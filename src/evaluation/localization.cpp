#include "evaluation/localization.h"

#include <algorithm>

namespace pdvc {
namespace {

constexpr double kEpsilon = 1e-8;

double share_above(const std::vector<double>& values, double threshold) {
  if (values.empty()) return 0;
  const auto above = std::ranges::count_if(values, [&](double v) { return v > threshold; });
  return static_cast<double>(above) / static_cast<double>(values.size());
}

}  // namespace

double evaluation_iou(Segment a, Segment b) {
  const double both = std::max(0.0, std::min(a.end, b.end) - std::max(a.start, b.start));
  const double hull = std::max(a.end, b.end) - std::min(a.start, b.start);
  return both / (std::min(hull, a.length() + b.length()) + kEpsilon);
}

OverlapTable::OverlapTable(std::span<const Segment> predictions, std::span<const Segment> events)
    : best_of_prediction_(predictions.size()), best_of_event_(events.size()) {
  values_.reserve(predictions.size() * events.size());
  for (size_t p = 0; p < predictions.size(); ++p)
    for (size_t e = 0; e < events.size(); ++e) {
      const double iou = values_.emplace_back(evaluation_iou(predictions[p], events[e]));
      best_of_prediction_[p] = std::max(best_of_prediction_[p], iou);
      best_of_event_[e] = std::max(best_of_event_[e], iou);
    }
}

double OverlapTable::recall(double threshold) const {
  return share_above(best_of_event_, threshold);
}

double OverlapTable::precision(double threshold) const {
  return share_above(best_of_prediction_, threshold);
}

double f1_score(double precision, double recall) {
  const double sum = precision + recall;
  return sum == 0 ? 0 : 2 * precision * recall / sum;
}

}  // namespace pdvc
