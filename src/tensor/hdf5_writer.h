// Writes HDF5 files with one data set per video.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tensor/array.h"

namespace pdvc {

// A data set, read when it is written: all of them need not fit into memory.
struct Hdf5Entry {
  std::string name;             // "/" in it makes groups
  std::function<Array()> read;  // f32
};

// Written whole or not at all.
void write_hdf5(const std::filesystem::path& path, const std::vector<Hdf5Entry>& entries);

}  // namespace pdvc
