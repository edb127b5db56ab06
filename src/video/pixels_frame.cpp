// What `pixels` sees in one frame.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "video/pixels.h"

namespace pdvc {
namespace {

constexpr int kBits = 5;  // of each colour; finer ones change no class
constexpr int kRowsPerBand = kPixelsHeight / kPixelsBands;

// Where one hue ends and the next begins, in degrees; red lies around 0.
constexpr std::array<float, 7> kHueEnds{15, 42, 92, 156, 207, 259, 324};
constexpr float kDull = 26, kColourful = 80;  // largest minus smallest colour value
constexpr float kGrey = 158, kWhite = 205;    // smallest colour value of white

struct Classified {
  uint8_t colour = 0, weight = 0;
  uint8_t strength = 0;  // still grows where the weight is full
};

uint8_t ramp(float value, float from, float to) {
  return static_cast<uint8_t>(255 * std::clamp((value - from) / (to - from), 0.0F, 1.0F));
}

float hue_of(float red, float green, float blue) {
  const float largest = std::max({red, green, blue}),
              range = largest - std::min({red, green, blue});
  float sixth = 0;
  if (largest == red)
    sixth = (green - blue) / range;
  else if (largest == green)
    sixth = 2 + (blue - red) / range;
  else
    sixth = 4 + (red - green) / range;
  return sixth < 0 ? 60 * sixth + 360 : 60 * sixth;
}

Classified classify(float red, float green, float blue) {
  const float largest = std::max({red, green, blue}), smallest = std::min({red, green, blue});
  const uint8_t colourful = ramp(largest - smallest, kDull, kColourful);
  const uint8_t white = ramp(smallest, kGrey, kWhite);
  if (white >= colourful) return {kPixelsClasses - 1, white, ramp(smallest, kGrey, 255)};
  const auto hue = std::ranges::upper_bound(kHueEnds, hue_of(red, green, blue)) - kHueEnds.begin();
  return {static_cast<uint8_t>(hue % 7), colourful, ramp(largest - smallest, kDull, 255)};
}

constexpr size_t table_index(unsigned red, unsigned green, unsigned blue) {
  constexpr unsigned kDrop = 8 - kBits;
  return red >> kDrop << 2 * kBits | green >> kDrop << kBits | blue >> kDrop;
}

using ColourTable = std::array<Classified, 1 << 3 * kBits>;

ColourTable make_table() {
  ColourTable table;
  constexpr unsigned kStep = 1U << (8 - kBits), kHalf = kStep / 2;
  for (unsigned red = 0; red < 256; red += kStep)
    for (unsigned green = 0; green < 256; green += kStep)
      for (unsigned blue = 0; blue < 256; blue += kStep)
        table[table_index(red, green, blue)] =
            classify(static_cast<float>(red + kHalf), static_cast<float>(green + kHalf),
                     static_cast<float>(blue + kHalf));
  return table;
}

struct Point {
  float x, y, weight, strength;
};

// The pixels of one class in a frame.
struct Points {
  size_t count = 0;
  std::array<Point, static_cast<size_t>(kPixelsWidth* kPixelsHeight)> all;
};

// Where the pixels of a class are, all or those near a place.
struct Body {
  double sum = 0, squares = 0, sum_x = 0, sum_y = 0, strengths = 0;

  void add(const Point& point) {
    sum += point.weight;
    squares += static_cast<double>(point.weight * point.weight);
    sum_x += static_cast<double>(point.weight * point.x);
    sum_y += static_cast<double>(point.weight * point.y);
    strengths += static_cast<double>(point.weight * point.strength);
  }
  float x() const { return static_cast<float>(sum_x / sum); }
  float y() const { return static_cast<float>(sum_y / sum); }
  // In pixels. Not the sum of weights: a shape that fades keeps its form.
  float covered() const { return std::max(1.0F, static_cast<float>(sum * sum / squares)); }
};

// How far from its middle a shape reaches, in roots of its area: three times as long as wide, and
// some more.
constexpr float kReach = 1.2F;

float reach_of(const Body& body) { return kReach * kReach * body.covered(); }

float squared_distance(const Point& point, float x, float y) {
  return (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y);
}

// Encoders leave stray pixels of a colour at the edges of others: what lies far from the middle is
// left out, and the middle found again, until most of what was left out is.
Body main_body(std::span<const Point> points) {
  constexpr int kRounds = 3;
  Body body;
  for (const Point& point : points) body.add(point);
  for (int round = 0; round < kRounds && body.sum > 0; ++round) {
    const float x = body.x(), y = body.y(), reach = reach_of(body);
    Body nearer;
    for (const Point& point : points)
      if (squared_distance(point, x, y) <= reach) nearer.add(point);
    if (nearer.sum <= 0) break;  // a ring around nothing
    body = nearer;
  }
  return body;
}

// Moments about the middle, in units of the root of the area, so that size does not matter.
void measure_form(std::span<const Point> points, const Body& body, ColourMeasure& measure) {
  const float x = body.x(), y = body.y(), reach = reach_of(body),
              unit = 1 / std::sqrt(body.covered());
  float sum = 0, second = 0, fourth = 0;
  std::array<float, 5> real{}, imaginary{};
  for (const Point& point : points) {
    if (squared_distance(point, x, y) > reach) continue;
    const float right = (point.x - x) * unit, down = (point.y - y) * unit, w = point.weight;
    const float square = right * right + down * down;
    sum += w;
    second += w * square;
    fourth += w * square * square;
    real[0] += w * square * right;
    imaginary[0] += w * square * down;
    float power_real = right, power_imaginary = down;
    for (size_t k = 1; k < 5; ++k) {
      const float next_real = power_real * right - power_imaginary * down;
      power_imaginary = power_real * down + power_imaginary * right;
      power_real = next_real;
      real[k] += w * power_real;
      imaginary[k] += w * power_imaginary;
    }
  }
  if (sum <= 0) return;
  measure.inertia = second / sum;
  measure.fourth = fourth / sum;
  for (size_t k = 0; k < 5; ++k) {
    measure.real[k] = real[k] / sum;
    measure.imaginary[k] = imaginary[k] / sum;
  }
}

ColourMeasure measure_points(std::span<const Point> points) {
  ColourMeasure measure;
  const Body body = main_body(points);
  if (body.sum <= 0) return measure;
  measure.area = static_cast<float>(body.sum) / (kPixelsWidth * kPixelsHeight);
  measure.x = (body.x() + 0.5F) / kPixelsWidth;
  measure.y = (body.y() + 0.5F) / kPixelsHeight;
  measure.strength = static_cast<float>(body.strengths / body.sum);
  measure_form(points, body, measure);
  return measure;
}

}  // namespace

void measure_frame(const uint8_t* rgb, int64_t stride, FrameMeasure& measure) {
  static const ColourTable table = make_table();
  thread_local std::vector<Points> classes(kPixelsClasses);
  for (Points& points : classes) points.count = 0;
  for (auto& band : measure.brightness) std::ranges::fill(band, 0.0F);
  for (int y = 0; y < kPixelsHeight; ++y) {
    const uint8_t* pixel = rgb + y * stride;
    float* band = measure.brightness[y / kRowsPerBand];
    for (int x = 0; x < kPixelsWidth; ++x, pixel += 3) {
      const unsigned red = pixel[0], green = pixel[1], blue = pixel[2];
      band[x] += static_cast<float>(2 * red + 5 * green + blue);
      const Classified found = table[table_index(red, green, blue)];
      if (found.weight == 0) continue;
      Points& points = classes[found.colour];
      points.all[points.count++] = {static_cast<float>(x), static_cast<float>(y),
                                    static_cast<float>(found.weight) / 255,
                                    static_cast<float>(found.strength) / 255};
    }
  }
  for (auto& band : measure.brightness)
    for (float& value : band) value /= 8 * 255 * kRowsPerBand;
  for (size_t c = 0; c < kPixelsClasses; ++c)
    measure.colours[c] = measure_points({classes[c].all.data(), classes[c].count});
}

}  // namespace pdvc
