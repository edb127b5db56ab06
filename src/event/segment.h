// A stretch of time, and how far two of them overlap.
#pragma once

namespace pdvc {

// From `start` to `end`, in seconds or in shares of a video's length.
struct Segment {
  double start = 0;
  double end = 0;

  double length() const { return end - start; }
  double centre() const { return (start + end) / 2; }
  friend bool operator==(const Segment&, const Segment&) = default;
};

Segment from_centre(double centre, double length);

// Intersection over union as matching and losses define it: intersection / (union + 1e-5).
double iou(Segment a, Segment b);

// Generalised: IoU minus the share of the hull that neither covers, with 1e-5 added to both
// denominators.
double giou(Segment a, Segment b);

}  // namespace pdvc
