// numpy's .npy files, versions 1 to 3.
#pragma once

#include <filesystem>
#include <string>

#include "tensor/array.h"

namespace pdvc {

// What stands in front of the data.
struct NpyHeader {
  NumpyType type;
  bool fortran_order = false;
  Shape shape;
  size_t data_offset = 0;
};

// `start` is the beginning of a file of `file_size` bytes, at least the whole header. Throws when
// it is not .npy, when the type is none of numbers, or when the file is too short for its shape.
NpyHeader parse_npy_header(Bytes start, size_t file_size, const std::string& name);

// Row-major and little-endian, whatever the file holds.
Array read_npy(const std::filesystem::path& path);
Array parse_npy(Bytes file, const std::string& name);

}  // namespace pdvc
