// What `pixels` makes of the frames of a clip.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "video/pixels.h"

namespace pdvc {
namespace {

constexpr float kVisible = 0.004F;  // share of the frame from which a colour is surely there
constexpr size_t kQuarters = 4;

using Clip = std::span<const FrameMeasure* const>;

// Appends numbers to a row.
class Row {
 public:
  explicit Row(std::span<float> row) : row_(row) {}
  void add(float value) { row_[at_++] = std::clamp(value, -kPixelsLargest, kPixelsLargest); }
  size_t size() const { return at_; }

 private:
  std::span<float> row_;
  size_t at_ = 0;
};

float presence(const ColourMeasure& measure) { return std::min(1.0F, measure.area / kVisible); }

// Mean of f(frame) over the part of [0, count) that is the part-th of `parts`.
template <class Value>
float mean_of_part(size_t count, size_t part, size_t parts, const Value& value) {
  const size_t first = count * part / parts, end = count * (part + 1) / parts;
  float sum = 0;
  for (size_t t = first; t < end; ++t) sum += value(t);
  return sum / static_cast<float>(end - first);
}

// One class through a clip.
class ColourTrack {
 public:
  ColourTrack(Clip clip, size_t colour) : clip_(clip), colour_(colour), steps_(clip.size() - 1) {}

  const ColourMeasure& at(size_t t) const { return clip_[t]->colours[colour_]; }

  void describe(Row& row) const {
    describe_size(row);
    describe_strength(row);
    describe_place(row);
    describe_motion(row);
    describe_shape(row);
    describe_spin(row);
    describe_neighbours(row);
  }

 private:
  // A step from frame to frame counts as far as the colour is there in both.
  float step_weight(size_t t) const { return presence(at(t)) * presence(at(t + 1)); }

  void describe_size(Row& row) const {
    for (size_t q = 0; q < kQuarters; ++q)
      row.add(4 * mean_of_part(clip_.size(), q, kQuarters,
                               [&](size_t t) { return std::sqrt(at(t).area); }));
    float least = 1, most = 0;
    for (size_t t = 0; t < clip_.size(); ++t) {
      least = std::min(least, presence(at(t)));
      most = std::max(most, presence(at(t)));
    }
    row.add(least);
    row.add(most);
    row.add(4 * mean_of_part(steps_, 0, 1, [&](size_t t) {
              return std::abs(presence(at(t + 1)) - presence(at(t)));
            }));
    for (size_t half = 0; half < 2; ++half)
      row.add(30 * mean_of_part(steps_, half, 2, [&](size_t t) {
                return step_weight(t) *
                       std::log((at(t + 1).area + kVisible / 4) / (at(t).area + kVisible / 4));
              }));
  }

  void describe_strength(Row& row) const {
    row.add(2 * mean_by_area([](const ColourMeasure& m) { return m.strength; }));
    for (size_t half = 0; half < 2; ++half)
      row.add(60 * mean_of_part(steps_, half, 2, [&](size_t t) {
                return step_weight(t) * (at(t + 1).strength - at(t).strength);
              }));
  }

  void describe_place(Row& row) const {
    for (size_t q = 0; q < kQuarters; ++q) {
      row.add(2 * mean_of_part(clip_.size(), q, kQuarters,
                               [&](size_t t) { return presence(at(t)) * (at(t).x - 0.5F); }));
      row.add(2 * mean_of_part(clip_.size(), q, kQuarters,
                               [&](size_t t) { return presence(at(t)) * (at(t).y - 0.5F); }));
    }
  }

  void describe_motion(Row& row) const {
    const auto right = [&](size_t t) { return 150 * step_weight(t) * (at(t + 1).x - at(t).x); };
    const auto down = [&](size_t t) { return 150 * step_weight(t) * (at(t + 1).y - at(t).y); };
    for (size_t half = 0; half < 2; ++half) {
      row.add(mean_of_part(steps_, half, 2, right));
      row.add(mean_of_part(steps_, half, 2, down));
    }
    row.add(mean_of_part(steps_, 0, 1, [&](size_t t) { return std::abs(right(t)); }));
    row.add(mean_of_part(steps_, 0, 1, [&](size_t t) { return std::abs(down(t)); }));
  }

  // Weighted by area: a shape that is half out of sight says less.
  template <class Value>
  float mean_by_area(const Value& value) const {
    float sum = 0, weights = 0, there = 0;
    for (size_t t = 0; t < clip_.size(); ++t) {
      sum += at(t).area * value(at(t));
      weights += at(t).area;
      there = std::max(there, presence(at(t)));
    }
    return weights > 0 ? there * sum / weights : 0;
  }

  // Symmetric shapes of one area have moments of about these sizes.
  void describe_shape(Row& row) const {
    constexpr std::array<float, 5> kScales{30, 6, 15, 20, 30};
    row.add(mean_by_area([](const ColourMeasure& m) { return 8 * (m.inertia - 0.16F); }));
    row.add(mean_by_area([](const ColourMeasure& m) { return 12 * (m.fourth - 0.034F); }));
    for (size_t k = 0; k < 5; ++k)
      row.add(kScales[k] * mean_by_area([&](const ColourMeasure& m) {
                return std::sqrt(m.real[k] * m.real[k] + m.imaginary[k] * m.imaginary[k]);
              }));
  }

  // How fast each moment turns: clockwise above 0. Nothing where the shape has no such symmetry.
  void describe_spin(Row& row) const {
    constexpr std::array<float, 5> kFloors{1e-5F, 3e-4F, 4e-5F, 2e-5F, 1e-5F};  // of its square
    float all_turned = 0, all_size = 0;
    for (size_t k = 0; k < 5; ++k) {
      float turned = 0, size = 0;
      for (size_t t = 0; t < steps_; ++t) {
        const ColourMeasure &now = at(t), &next = at(t + 1);
        const float weight = step_weight(t);
        turned += weight * (now.real[k] * next.imaginary[k] - now.imaginary[k] * next.real[k]);
        size += weight * (now.real[k] * now.real[k] + now.imaginary[k] * now.imaginary[k]);
      }
      row.add(2 * turned / (size + kFloors[k] * static_cast<float>(steps_)));
      all_turned += turned / kFloors[k] / static_cast<float>(k + 1);
      all_size += size / kFloors[k];
    }
    const float angle = 6 * all_turned / (all_size + 4 * static_cast<float>(steps_));
    row.add(angle);
    row.add(std::abs(angle));
  }

  // How close the nearest other colour is: 0 far away, 1 touching, more when one covers the other.
  float closeness(size_t t) const {
    const ColourMeasure& mine = at(t);
    float closest = 0;
    for (size_t other = 0; other < kPixelsClasses; ++other) {
      const ColourMeasure& theirs = clip_[t]->colours[other];
      const float there = presence(mine) * presence(theirs);
      if (other == colour_ || there == 0) continue;
      const float right = (mine.x - theirs.x) * kPixelsWidth,
                  down = (mine.y - theirs.y) * kPixelsHeight;
      const float gap = std::sqrt(right * right + down * down) - extent(mine) - extent(theirs);
      closest = std::max(closest, there * std::exp(-std::max(gap, -16.0F) / 8));
    }
    return std::min(closest, 3.0F);
  }
  // About the radius, in pixels.
  static float extent(const ColourMeasure& measure) {
    const float pixels = measure.area * kPixelsWidth * kPixelsHeight;
    return std::sqrt(2 * measure.inertia * pixels);
  }

  void describe_neighbours(Row& row) const {
    const float before = mean_of_part(clip_.size(), 0, 2, [&](size_t t) { return closeness(t); });
    const float after = mean_of_part(clip_.size(), 1, 2, [&](size_t t) { return closeness(t); });
    row.add(before);
    row.add(after);
    row.add(3 * (after - before));
  }

  Clip clip_;
  size_t colour_, steps_;
};

float difference(const FrameMeasure& one, const FrameMeasure& two) {
  float sum = 0;
  for (size_t band = 0; band < kPixelsBands; ++band)
    for (size_t x = 0; x < kPixelsWidth; ++x)
      sum += std::abs(one.brightness[band][x] - two.brightness[band][x]);
  return sum / (kPixelsBands * kPixelsWidth);
}

// Difference between frames when the second is moved; large differences, where shapes are, count
// like middling ones.
float shifted_difference(const FrameMeasure& one, const FrameMeasure& two, int shift) {
  constexpr float kMost = 0.05F;
  const int first = std::max(0, -shift), end = kPixelsWidth - std::max(0, shift);
  float sum = 0;
  for (size_t band = 0; band < kPixelsBands; ++band)
    for (int x = first; x < end; ++x)
      sum += std::min(kMost, std::abs(one.brightness[band][x + shift] - two.brightness[band][x]));
  return sum / static_cast<float>(kPixelsBands * (end - first));
}

// How far the picture as a whole has moved.
struct Shift {
  float pixels = 0;
  float certainty = 0;  // how much better it explains the second frame than rest, 0..1
};

Shift shift_between(const FrameMeasure& one, const FrameMeasure& two) {
  constexpr int kFarthest = 14;
  const float rest = shifted_difference(one, two, 0);
  float best = rest;
  int shift = 0;
  for (int s = -kFarthest; s <= kFarthest; ++s)
    if (const float now = shifted_difference(one, two, s); now < best) {
      best = now;
      shift = s;
    }
  return {static_cast<float>(shift), (rest - best) / (rest + 0.004F)};
}

void describe_changes(Clip clip, Row& row) {
  std::vector<float> changes;
  for (size_t t = 0; t + 1 < clip.size(); ++t)
    changes.push_back(difference(*clip[t], *clip[t + 1]));
  for (size_t q = 0; q < kQuarters; ++q)
    row.add(20 * mean_of_part(changes.size(), q, kQuarters, [&](size_t t) { return changes[t]; }));
  row.add(10 * *std::ranges::max_element(changes));
}

void describe_shifts(Clip clip, Row& row) {
  const size_t step = clip.size() / 3;
  for (size_t from = 0; from < 3 * step; from += step) {
    const Shift shift = shift_between(*clip[from], *clip[std::min(from + step, clip.size() - 1)]);
    row.add(2 * shift.certainty);
    row.add(0.3F * shift.pixels * shift.certainty);
  }
}

// Where in the picture something changes, on a grid of four by three.
void describe_grid(Clip clip, Row& row) {
  constexpr size_t kColumns = 4, kRows = 3;
  constexpr size_t wide = kPixelsWidth / kColumns, high = kPixelsBands / kRows;
  const FrameMeasure &one = *clip.front(), &two = *clip.back(), &mid = *clip[clip.size() / 2];
  for (size_t r = 0; r < kRows; ++r)
    for (size_t c = 0; c < kColumns; ++c) {
      float sum = 0;
      for (size_t band = r * high; band < (r + 1) * high; ++band)
        for (size_t x = c * wide; x < (c + 1) * wide; ++x)
          sum += std::abs(one.brightness[band][x] - mid.brightness[band][x]) +
                 std::abs(mid.brightness[band][x] - two.brightness[band][x]);
      row.add(10 * sum / (wide * high));
    }
}

void describe_whole(Clip clip, Row& row) {
  describe_changes(clip, row);
  describe_shifts(clip, row);
  describe_grid(clip, row);
  const FrameMeasure& frame = *clip[clip.size() / 2];
  float sum = 0, squares = 0, there = 0;
  for (const auto& band : frame.brightness)
    for (const float value : band) {
      sum += value;
      squares += value * value;
    }
  for (const ColourMeasure& colour : frame.colours) there += presence(colour);
  const float mean = sum / (kPixelsBands * kPixelsWidth);
  row.add(2 * mean);
  row.add(8 * std::sqrt(std::max(0.0F, squares / (kPixelsBands * kPixelsWidth) - mean * mean)));
  row.add(there / 3);
}

}  // namespace

void describe_clip(std::span<const FrameMeasure* const> clip, std::span<float> row) {
  assert(clip.size() >= 8 && row.size() == kPixelsRow);
  Row numbers(row);
  for (size_t colour = 0; colour < kPixelsClasses; ++colour)
    ColourTrack(clip, colour).describe(numbers);
  describe_whole(clip, numbers);
  assert(numbers.size() == kPixelsRow);
}

}  // namespace pdvc
