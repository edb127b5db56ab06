#include "tensor/quantize.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace pdvc {
namespace {
constexpr float kLargest = 127;
}

QuantizedRows quantize_rows(const ArrayView& matrix) {
  const Array source = to_floats(matrix);
  const int64_t rows = matrix.shape.at(0);
  const int64_t width = rows > 0 ? source.elements() / rows : 0;
  QuantizedRows result{Array(DType::i8, matrix.shape), Array(DType::f32, {rows})};
  auto* out = reinterpret_cast<int8_t*>(result.values.bytes().data());
  for (int64_t row = 0; row < rows; ++row) {
    const auto values =
        source.floats().subspan(static_cast<size_t>(row * width), static_cast<size_t>(width));
    float most = 0;
    for (const float value : values) most = std::max(most, std::fabs(value));
    const float scale = most > 0 ? most / kLargest : 1;
    result.scales.floats()[static_cast<size_t>(row)] = scale;
    for (const float value : values) *out++ = static_cast<int8_t>(std::lround(value / scale));
  }
  return result;
}

Array dequantized(const ArrayView& values, const ArrayView& scales) {
  check(!values.shape.empty() && scales.elements() == values.shape[0],
        "expected one scale for each of ", shape_text(values.shape), " rows, got ",
        scales.elements());
  Array result = to_floats(values);
  const Array factor = to_floats(scales);
  const int64_t rows = values.shape[0];
  const auto width = static_cast<size_t>(rows > 0 ? result.elements() / rows : 0);
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
    for (float& value : result.floats().subspan(row * width, width)) value *= factor.floats()[row];
  return result;
}

}  // namespace pdvc
