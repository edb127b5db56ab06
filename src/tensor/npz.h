// numpy's .npz files: several .npy arrays in a zip archive, stored or deflated.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tensor/array.h"
#include "tensor/npy.h"

namespace pdvc {

struct NamedArray {
  std::string name;
  Array array;
};

// All arrays, in file order.
std::vector<NamedArray> parse_npz(Bytes file, const std::string& name);
std::vector<NamedArray> read_npz(const std::filesystem::path& path);

// The one that holds features: the only array, or the one named "features".
Array read_npz_features(const std::filesystem::path& path);

}  // namespace pdvc
