#include "event/segment.h"

#include <algorithm>

namespace pdvc {
namespace {

constexpr double kEpsilon = 1e-5;

double intersection(Segment a, Segment b) {
  return std::max(0.0, std::min(a.end, b.end) - std::max(a.start, b.start));
}

}  // namespace

Segment from_centre(double centre, double length) {
  return {centre - length / 2, centre + length / 2};
}

double iou(Segment a, Segment b) {
  const double both = intersection(a, b);
  return both / (a.length() + b.length() - both + kEpsilon);
}

double giou(Segment a, Segment b) {
  const double either = a.length() + b.length() - intersection(a, b);
  const double hull = std::max(a.end, b.end) - std::min(a.start, b.start);
  return iou(a, b) - (hull - either) / (hull + kEpsilon);
}

}  // namespace pdvc
