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

// What libpdvc_hdf5.so offers for one file, behind one symbol.
class Hdf5Reader {
 public:
  virtual ~Hdf5Reader() = default;
  virtual Hdf5Contents contents() const = 0;
  virtual bool contains(const std::string& name) const = 0;
  virtual Array read(const std::string& name) const = 0;
};

// Lists and reads the data sets of one file. libhdf5 is loaded when the first one is opened: it
// brings thirty libraries, half of what starting the program costs. It is not hardened against
// crafted files; what can be refused before it acts is refused: plug-ins, links that lead
// elsewhere, data stored elsewhere, sizes that the file cannot hold.
class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& path);

  // All data sets of numbers, by name, each object once.
  Hdf5Contents contents() const { return reader_->contents(); }
  bool contains(const std::string& name) const { return reader_->contains(name); }
  // Integers and floating point of any byte order come out native.
  Array read(const std::string& name) const { return reader_->read(name); }

 private:
  std::unique_ptr<Hdf5Reader> reader_;
};

bool looks_like_hdf5(Bytes file);

}  // namespace pdvc
