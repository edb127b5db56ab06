#include "video/resize.h"

#include <algorithm>
#include <cmath>

namespace pdvc {

FrameResizer::Axis FrameResizer::axis(const Span& span, bool antialias) {
  const double ratio = static_cast<double>(span.input) / static_cast<double>(span.resized);
  const double reach = antialias ? std::max(ratio, 1.0) : 1.0;  // of the triangle, to each side
  Axis axis;
  axis.taps = std::min(span.input, static_cast<int64_t>(std::ceil(2 * reach)));
  for (int64_t o = span.from; o < span.from + span.count; ++o) {
    const double centre = std::clamp((static_cast<double>(o) + 0.5) * ratio - 0.5, 0.0,
                                     static_cast<double>(span.input - 1));
    const auto lowest = static_cast<int64_t>(std::floor(centre - reach)) + 1;
    const int64_t first = std::clamp<int64_t>(lowest, 0, span.input - axis.taps);
    double sum = 0;
    std::vector<double> weights;
    for (int64_t i = first; i < first + axis.taps; ++i)
      sum += weights.emplace_back(
          std::max(0.0, 1 - std::abs(static_cast<double>(i) - centre) / reach));
    axis.first.push_back(first);
    for (const double weight : weights) axis.weights.push_back(static_cast<float>(weight / sum));
  }
  return axis;
}

void FrameResizer::prepare(FrameSize size) {
  if (size == prepared_) return;
  prepared_ = size;
  FrameSize resized = plan_.resized, from = plan_.crop_from;
  if (plan_.short_side > 0) {
    const int64_t shorter = std::min(size.width, size.height);
    const auto side = [&](int64_t length) {
      return static_cast<int64_t>(std::llround(static_cast<double>(length * plan_.short_side) /
                                               static_cast<double>(shorter)));
    };
    resized = {side(size.width), side(size.height)};
    from = {(resized.width - plan_.crop.width) / 2, (resized.height - plan_.crop.height) / 2};
  }
  columns_ = axis({size.width, resized.width, from.width, plan_.crop.width}, plan_.antialias);
  line_.resize(static_cast<size_t>(3 * size.width));
  rows_ = axis({size.height, resized.height, from.height, plan_.crop.height}, plan_.antialias);
}

// One row of the resized picture, still as wide as the original. Rows first: they lie side by side
// in memory, and fewer are left for the columns.
void FrameResizer::blend_rows(const Picture& picture, int64_t y) {
  const int64_t begin = 3 * columns_.first.front(),
                end = 3 * (columns_.first.back() + columns_.taps);
  const int64_t first = rows_.first[static_cast<size_t>(y)];
  const float* weights = rows_.weights.data() + y * rows_.taps;
  float* line = line_.data();
  for (int64_t tap = 0; tap < rows_.taps; ++tap) {
    const uint8_t* row = picture.row(first + tap);
    const float weight = weights[tap];
    if (tap == 0)
      for (int64_t i = begin; i < end; ++i) line[i] = weight * static_cast<float>(row[i]);
    else
      for (int64_t i = begin; i < end; ++i) line[i] += weight * static_cast<float>(row[i]);
  }
}

void FrameResizer::blend_columns(std::array<float*, 3> out) const {
  const float* weight = columns_.weights.data();
  for (size_t x = 0; x < columns_.first.size(); ++x) {
    const float* pixel = line_.data() + 3 * columns_.first[x];
    float red = 0, green = 0, blue = 0;
    for (int64_t tap = 0; tap < columns_.taps; ++tap, pixel += 3, ++weight) {
      red += *weight * pixel[0];
      green += *weight * pixel[1];
      blue += *weight * pixel[2];
    }
    out[0][x] = red * plan_.scale[0] + plan_.shift[0];
    out[1][x] = green * plan_.scale[1] + plan_.shift[1];
    out[2][x] = blue * plan_.scale[2] + plan_.shift[2];
  }
}

void FrameResizer::resize(const Picture& picture, std::span<float> planes) {
  prepare(picture.size);
  const auto [width, height] = plan_.crop;
  for (int64_t y = 0; y < height; ++y) {
    blend_rows(picture, y);
    float* red = planes.data() + y * width;
    blend_columns({red, red + width * height, red + 2 * width * height});
  }
}

}  // namespace pdvc
