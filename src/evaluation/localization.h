// How well predicted times cover annotated ones, as the dense captioning evaluation counts it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "event/segment.h"

namespace pdvc {

// Where a prediction begins to count, as the dense captioning evaluation reports it.
inline constexpr std::array kThresholds = {0.3, 0.5, 0.7, 0.9};

// Intersection over union as the evaluators define it: intersection / (min(hull, sum of lengths) +
// 1e-8). Unlike event/segment.h's iou, which losses use.
double evaluation_iou(Segment a, Segment b);

// The IoU of each prediction with each event of one annotator.
class OverlapTable {
 public:
  OverlapTable(std::span<const Segment> predictions, std::span<const Segment> events);

  size_t predictions() const { return best_of_prediction_.size(); }
  size_t events() const { return best_of_event_.size(); }
  double at(size_t prediction, size_t event) const {
    return values_[prediction * events() + event];
  }
  // The share of events (of predictions) that overlap some prediction (some event) by more than the
  // threshold; 0 when there are none.
  double recall(double threshold) const;
  double precision(double threshold) const;

 private:
  std::vector<double> values_;
  std::vector<double> best_of_prediction_, best_of_event_;
};

// 2PR / (P + R), 0 when both are 0, NaN when one is.
double f1_score(double precision, double recall);

}  // namespace pdvc
