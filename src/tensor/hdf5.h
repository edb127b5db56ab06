// HDF5 files with one data set per video.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/array.h"

namespace pdvc {

struct Hdf5DataSet {
  std::string name;  // with the names of its groups, separated by '/'
  DType type;
  Shape shape;
};

// What a file holds, and what in it was refused: links, texts, damage; one line each.
struct Hdf5Contents {
  std::vector<Hdf5DataSet> data_sets;
  std::vector<std::string> refused;
};

// Lists and reads the data sets of one file. libhdf5 is not hardened against crafted files; what
// can be refused before it acts is refused: plug-ins, links that lead elsewhere, data stored
// elsewhere, sizes that the file cannot hold.
class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& path);
  ~Hdf5File();
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;

  // All data sets of numbers, by name, each object once.
  Hdf5Contents contents() const;
  bool contains(const std::string& name) const;
  // Integers and floating point of any byte order come out native.
  Array read(const std::string& name) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

bool looks_like_hdf5(Bytes file);

}  // namespace pdvc
