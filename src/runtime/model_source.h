// A model to be loaded: a model file, or a published checkpoint with its settings and words.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/log.h"
#include "data/model_file.h"
#include "kernels/dense.h"

namespace pdvc {

struct ModelSource {
  ModelDescription description;
  DensePrecision stored = DensePrecision::f32;  // what its large matrices are stored in
  // A weight as f32, by its stored name.
  std::function<Array(const std::string&)> weights;
  // Lets go of the file's pages that have been read.
  std::function<void()> give_back;
};

// `config` and `vocabulary` belong to a .pth file and must be empty for a model file.
ModelSource open_model(const std::filesystem::path& path, const std::filesystem::path& config,
                       const std::filesystem::path& vocabulary, Log& log);
ModelSource source_of(std::shared_ptr<const ModelFile> file);

}  // namespace pdvc
