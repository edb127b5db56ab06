// A folder of features that grows from run to run.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "data/model_file.h"
#include "tensor/array.h"

namespace pdvc {

enum class FeatureFormat { npy, hdf5 };

// Each video's features are written when they are there; an HDF5 file is put together of them at
// the end, so that an interrupted run leaves no damaged one.
class FeatureStore {
 public:
  // Makes the folder. Throws when it holds features of another backbone, or of one that nobody
  // knows. It says what made its features from the first one on.
  FeatureStore(std::filesystem::path folder, FeatureFormat format, const Backbone& backbone);

  // Whether an earlier run has finished it.
  bool has(const std::string& video) const;
  void add(const std::string& video, const Array& rows);
  void finish();

 private:
  std::filesystem::path file_of(const std::string& video) const;

  std::filesystem::path folder_, parts_;  // the same for .npy
  FeatureFormat format_;
  Backbone backbone_;
  std::once_flag described_;
};

}  // namespace pdvc
