// SODA (Fujita et al., 2020): how well a video's predictions tell its story, by the best matching
// of predictions to events that keeps the order of time.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace pdvc {

// What decides the matching, and what is summed over it. c is the one that papers report.
//   a: IoU of at least a threshold; METEOR, mean over the four thresholds
//   b: IoU; METEOR
//   c: IoU times METEOR; the same
//   d: IoU; the same
enum class SodaKind { a, b, c, d };
constexpr std::array<std::string_view, 4> names_of(SodaKind) { return {"a", "b", "c", "d"}; }

// What is known about an event (row) and a prediction (column) of one video.
using PairValue = std::function<double(size_t event, size_t prediction)>;

// The best matching that keeps the order of both sides.
struct Matching {
  double total = 0;                              // of the weights
  std::vector<std::pair<size_t, size_t>> pairs;  // (event, prediction), from the last to the first
};
double best_matching_total(size_t events, size_t predictions, const PairValue& weight);
// Pairs as the published code reads them back: they may include some of weight 0.
Matching best_matching(size_t events, size_t predictions, const PairValue& weight);

// One video and annotator: events and predictions by rising start.
struct SodaVideo {
  size_t events = 0, predictions = 0;
  PairValue iou;
  PairValue meteor;  // asked for only where it can matter
};

// What precision (divided by predictions) and recall (by events) are made of.
double soda_total(SodaKind kind, const SodaVideo& video);

struct SodaScore {
  double precision = 0, recall = 0, f1 = 0;
};
// Of one video. `events` and `predictions` summed over videos give the first release's micro score.
SodaScore soda_score(double total, double events, double predictions);

}  // namespace pdvc
