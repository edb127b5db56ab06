// Which tensors a model has, under which names and of which shapes: what checkpoints and model
// files are held to.
#pragma once

#include <string>
#include <vector>

#include "data/settings.h"
#include "tensor/array.h"

namespace pdvc {

// One tensor of a published checkpoint. A module that several layers share is repeated there under
// each layer's name; `stored_as` is the name under which a model file holds it once.
struct SchemaTensor {
  std::string name;
  std::string stored_as;
  Shape shape;

  bool is_repeat() const { return name != stored_as; }
};

// In the order of published checkpoints. The variants that are not published (soft and transformer
// captioner, ordinary transformer) follow the same naming.
std::vector<SchemaTensor> schema_of(const ModelSettings& settings);

}  // namespace pdvc
