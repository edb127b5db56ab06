// Between published checkpoints and model files, and from model file to model file.
#pragma once

#include <filesystem>
#include <string>

#include "data/model_file.h"
#include "tensor/checkpoint.h"

namespace pdvc {

enum class Precision { f32, f16, bf16, int8 };
constexpr std::array<std::string_view, 4> names_of(Precision) {
  return {"f32", "f16", "bf16", "int8"};
}

// Holds the checkpoint to the settings: every tensor there and of the right shape, repeated names
// equal, none too many. Returns the tensors under their stored names, in published order.
std::vector<NamedView> published_weights(const Checkpoint& checkpoint,
                                         const ModelSettings& settings, const std::string& name);

// Whether a weight may be held in fewer bits: large matrices may, but not those that decide where
// the model looks. An error of a percent there moves an event by seconds.
bool may_be_smaller(const std::string& name, const Shape& shape);

// Writes a model file. With less than f32, large matrices are stored smaller; vectors and what
// positions depend on stay f32.
void convert_to_model_file(const std::filesystem::path& checkpoint,
                           const std::filesystem::path& model, const ModelDescription& description,
                           Precision precision, Log& log);

// A model file or a checkpoint of training, described and stored anew; without what only training
// needs.
void rewrite_model_file(const ModelFile& file, const std::filesystem::path& model,
                        const ModelDescription& description, Precision precision);

// A model file without what only training needs, from a checkpoint of training; stored as it was.
void export_model(const std::filesystem::path& checkpoint, const std::filesystem::path& model,
                  Log& log);

// Writes {"epoch", "model"} with all repeated names, as Python code expects it; weights as f32.
void convert_to_checkpoint(const std::filesystem::path& model,
                           const std::filesystem::path& checkpoint, Log& log);

}  // namespace pdvc
