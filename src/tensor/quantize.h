// Eight-bit weights: each row (first dimension) as whole numbers from -127 to 127 times its own
// scale.
#pragma once

#include "tensor/array.h"

namespace pdvc {

struct QuantizedRows {
  Array values;  // i8, the shape of the original
  Array scales;  // f32 [rows]
};

QuantizedRows quantize_rows(const ArrayView& matrix);
// f32 again; `scales` has one entry per row.
Array dequantized(const ArrayView& values, const ArrayView& scales);

}  // namespace pdvc
