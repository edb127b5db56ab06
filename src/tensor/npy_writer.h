// Writes numpy's .npy files.
#pragma once

#include <filesystem>

#include "tensor/array.h"

namespace pdvc {

// Version 1, row-major, little-endian; written whole or not at all. f32, f64 and integers.
void write_npy(const std::filesystem::path& path, const ArrayView& array);

}  // namespace pdvc
