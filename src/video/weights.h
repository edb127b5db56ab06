// Weights of video networks, under the names of the published files.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "tensor/array.h"

namespace pdvc {

class WeightSource {
 public:
  virtual ~WeightSource() = default;

  virtual std::optional<Shape> shape_of(const std::string& name) const = 0;  // none: not there
  // As f32, whatever it is stored as; throws unless it is there and has this shape. A size of -1
  // fits any.
  virtual Array get(const std::string& name, const Shape& shape) const = 0;
};

// A file of weights: a checkpoint of PyTorch, a bare pickle of numpy arrays, or safetensors.
// `landmark` is a name that the network must have: what stands before it in the file ("model/",
// "features.") stands before all its names.
std::unique_ptr<WeightSource> open_weights(const std::filesystem::path& path,
                                           const std::string& landmark);

}  // namespace pdvc
