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
  rows_ = axis({size.height, resized.height, from.height, plan_.crop.height}, plan_.antialias);
}

void FrameResizer::blend_row(const uint8_t* row, float* out) const {
  const float* weight = columns_.weights.data();
  for (const int64_t first : columns_.first) {
    const uint8_t* pixel = row + 3 * first;
    float red = 0, green = 0, blue = 0;
    for (int64_t tap = 0; tap < columns_.taps; ++tap, pixel += 3, ++weight) {
      red += *weight * static_cast<float>(pixel[0]);
      green += *weight * static_cast<float>(pixel[1]);
      blue += *weight * static_cast<float>(pixel[2]);
    }
    *out++ = red;
    *out++ = green;
    *out++ = blue;
  }
}

void FrameResizer::resize(const Picture& picture, std::span<float> planes) {
  prepare(picture.size);
  const auto [width, height] = plan_.crop;
  const int64_t line = 3 * width;
  lines_.resize(static_cast<size_t>(picture.size.height * line));
  int64_t ready = 0;  // lines before this one are blended, or not needed
  std::vector<float> sum(static_cast<size_t>(line));
  for (int64_t y = 0; y < height; ++y) {
    const int64_t first = rows_.first[static_cast<size_t>(y)];
    for (ready = std::max(ready, first); ready < first + rows_.taps; ++ready)
      blend_row(picture.row(ready), lines_.data() + ready * line);
    std::ranges::fill(sum, 0.0f);
    for (int64_t tap = 0; tap < rows_.taps; ++tap) {
      const float weight = rows_.weights[static_cast<size_t>(y * rows_.taps + tap)];
      const float* blended = lines_.data() + (first + tap) * line;
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += weight * blended[i];
    }
    for (size_t colour = 0; colour < 3; ++colour) {
      float* out = planes.data() + (static_cast<int64_t>(colour) * height + y) * width;
      for (int64_t x = 0; x < width; ++x)
        out[x] =
            sum[static_cast<size_t>(3 * x) + colour] * plan_.scale[colour] + plan_.shift[colour];
    }
  }
}

}  // namespace pdvc
