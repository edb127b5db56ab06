// Features of any length brought to the number of rows a model was trained with.
#pragma once

#include <vector>

#include "tensor/array.h"

namespace pdvc {

// Row i of the result is the row of `features` [rows, channels] nearest to i * (rows - 1) / (target
// - 1), half down.
Array resampled(const Array& features, int64_t target);

// Streams of one video, side by side [rows, all channels]: each resampled to `target` rows, or with
// target 0 as they are, when they must have equally many.
Array joined_streams(const std::vector<Array>& streams, int64_t target, const std::string& video);

}  // namespace pdvc
