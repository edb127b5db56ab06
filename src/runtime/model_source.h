// A model to be loaded: a model file, or a published checkpoint with its settings and words.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/log.h"
#include "data/model_file.h"
#include "kernels/dense.h"

namespace pdvc {

// The numbers of a weight: looked at where they lie in the mapped file, or a copy where the file
// holds them in another type.
class Numbers {
 public:
  explicit Numbers(std::span<const float> in_place) : values_(in_place) {}
  Numbers(std::vector<float> own) : own_(std::move(own)), values_(own_) {}
  Numbers(Numbers&&) noexcept = default;  // a moved vector keeps its place
  Numbers& operator=(Numbers&&) noexcept = default;

  operator std::span<const float>() const { return values_; }
  std::span<const float> values() const { return values_; }
  size_t size() const { return values_.size(); }
  float operator[](size_t i) const { return values_[i]; }
  std::vector<float> copied() const { return {values_.begin(), values_.end()}; }

 private:
  std::vector<float> own_;
  std::span<const float> values_;
};

struct ModelSource {
  ModelDescription description;
  DensePrecision stored = DensePrecision::f32;  // what its large matrices are stored in
  // A weight as f32, by its stored name; good as long as this source.
  std::function<Numbers(const std::string&)> weights;
  // Lets go of the file's pages that have been read.
  std::function<void()> give_back;
};

// `config` and `vocabulary` belong to a .pth file and must be empty for a model file.
ModelSource open_model(const std::filesystem::path& path, const std::filesystem::path& config,
                       const std::filesystem::path& vocabulary, Log& log);
ModelSource source_of(const std::shared_ptr<const ModelFile>& file);

}  // namespace pdvc
