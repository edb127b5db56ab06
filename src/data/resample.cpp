#include "data/resample.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/printable.h"

namespace pdvc {
namespace {

int64_t nearest_row(int64_t i, int64_t rows, int64_t target) {
  if (target == 1) return 0;
  const double position = static_cast<double>(i * (rows - 1)) / static_cast<double>(target - 1);
  const double below = std::floor(position);
  return static_cast<int64_t>(below) + (position - below > 0.5 ? 1 : 0);
}

}  // namespace

Array resampled(const Array& features, int64_t target) {
  const int64_t rows = features.shape().at(0), channels = features.shape().at(1);
  Array result(DType::f32, {target, channels});
  const std::span<const float> from = features.floats();
  auto out = result.floats().begin();
  for (int64_t i = 0; i < target; ++i)
    out = std::copy_n(from.begin() + nearest_row(i, rows, target) * channels, channels, out);
  return result;
}

Array joined_streams(const std::vector<Array>& streams, int64_t target, const std::string& video) {
  const int64_t rows = target > 0 ? target : streams.at(0).shape()[0];
  int64_t channels = 0;
  for (const Array& stream : streams) {
    check(target > 0 || stream.shape()[0] == rows, printable(video), ": its feature streams have ",
          rows, " and ", stream.shape()[0], " rows (expected equally many without data_rescale)");
    channels += stream.shape()[1];
  }
  Array result(DType::f32, {rows, channels});
  int64_t column = 0;
  for (const Array& stream : streams) {
    const Array part = stream.shape()[0] == rows ? copy_of(stream.view()) : resampled(stream, rows);
    const int64_t width = part.shape()[1];
    for (int64_t row = 0; row < rows; ++row)
      std::copy_n(part.floats().begin() + row * width, width,
                  result.floats().begin() + row * channels + column);
    column += width;
  }
  return result;
}

}  // namespace pdvc
