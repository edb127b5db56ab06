#include "data/conversion.h"

#include <algorithm>
#include <deque>
#include <map>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "data/model_schema.h"
#include "tensor/checkpoint_writer.h"
#include "tensor/quantize.h"

namespace pdvc {
namespace {

using TensorsByName = std::map<std::string, const ArrayView*>;

// The state dictionary's name: without the key it lies under, and without what DataParallel puts in
// front.
std::string_view state_name(std::string_view path, std::string_view prefix) {
  path.remove_prefix(prefix.size());
  if (path.starts_with("module.")) path.remove_prefix(7);
  return path;
}

// The dictionary of weights is the whole checkpoint, or lies under one of these keys.
std::string state_prefix(const Checkpoint& checkpoint) {
  for (const char* prefix : {"model/", "state_dict/"})
    for (const CheckpointEntry& entry : checkpoint.entries())
      if (entry.path.starts_with(prefix)) return prefix;
  return "";
}

TensorsByName state_dictionary(const Checkpoint& checkpoint, const std::string& name) {
  const std::string prefix = state_prefix(checkpoint);
  TensorsByName tensors;
  for (const CheckpointEntry& entry : checkpoint.entries())
    if (const auto* view = std::get_if<ArrayView>(&entry.value);
        view && entry.path.starts_with(prefix))
      check(tensors.emplace(state_name(entry.path, prefix), view).second, name, ": tensor ",
            printable(entry.path), " stands in it twice");
  return tensors;
}

bool same_contents(const ArrayView& a, const ArrayView& b) {
  if (a.type != b.type || a.shape != b.shape) return false;
  return a.bytes.data() == b.bytes.data() || std::ranges::equal(a.bytes, b.bytes);
}

// Values beyond this would become infinite; a tensor that has them stays as it is.
bool fits_half(const ArrayView& view) {
  constexpr double kLargestHalf = 65504;
  const Statistics statistics = statistics_of(view);
  return statistics.least >= -kLargestHalf && statistics.most <= kLargestHalf;
}

void report_not_finite(const std::vector<NamedView>& tensors, const std::string& name, Log& log) {
  for (const auto& [tensor, view] : tensors) {
    const Statistics statistics = statistics_of(view);
    if (const int64_t count = statistics.not_a_number + statistics.infinite)
      log.warning(join_text(name, ": tensor ", tensor, ": ", count, " values are NaN or infinite"));
  }
}

constexpr std::string_view kOptimizerPrefix = "optimizer.";  // of what only training needs
constexpr std::string_view kScaleSuffix = ".scale";          // of what belongs to an int8 matrix

// Weights as a model file of some precision holds them.
class StoredTensors {
 public:
  explicit StoredTensors(Precision precision) : precision_(precision) {}

  // What the view looks at must last.
  void add(const std::string& name, const ArrayView& view) {
    check_interrupt();
    const bool smaller = precision_ != Precision::f32 && may_be_smaller(name, view.shape);
    if (smaller && precision_ == Precision::int8) {
      QuantizedRows rows = quantize_rows(view);
      keep(name, std::move(rows.values));
      keep(name + std::string(kScaleSuffix), std::move(rows.scales));
    } else if (smaller && (precision_ == Precision::bf16 || fits_half(view))) {
      keep(name, converted(view, precision_ == Precision::f16 ? DType::f16 : DType::bf16));
    } else if (view.type == DType::f32) {
      views_.push_back({name, view});
    } else {
      keep(name, to_floats(view));
    }
  }
  void add(const std::string& name, Array array) {
    add(name, kept_.emplace_back(std::move(array)).view());
  }

  const std::vector<NamedView>& views() const { return views_; }

 private:
  void keep(const std::string& name, Array array) {
    views_.push_back({name, kept_.emplace_back(std::move(array)).view()});
  }

  Precision precision_;
  std::vector<NamedView> views_;
  std::deque<Array> kept_;  // what the views of converted tensors look at
};

}  // namespace

bool may_be_smaller(const std::string& name, const Shape& shape) {
  constexpr int64_t kSmallest = int64_t{16} * 1024;
  if (shape.size() < 2 || element_count(shape) < kSmallest) return false;
  for (const char* exact :
       {"sampling_offsets", "reference_points", "bbox_head", "query_embed", "level_embed"})
    if (name.find(exact) != std::string::npos) return false;
  return true;
}

std::vector<NamedView> published_weights(const Checkpoint& checkpoint,
                                         const ModelSettings& settings, const std::string& name) {
  TensorsByName tensors = state_dictionary(checkpoint, name);
  check(!tensors.empty(), name,
        ": holds no tensors (expected a state dictionary; a whole saved module is not one)");
  std::vector<NamedView> weights;
  std::map<std::string, const ArrayView*> stored;
  const std::vector<SchemaTensor> schema = schema_of(settings);
  for (const SchemaTensor& wanted : schema) {
    const auto at = tensors.find(wanted.name);
    check(at != tensors.end(), name, ": tensor ", wanted.name, " is missing (expected ",
          shape_text(wanted.shape), ")");
    const ArrayView& view = *at->second;
    check(view.shape == wanted.shape, name, ": tensor ", wanted.name, " has shape ",
          shape_text(view.shape), " (expected ", shape_text(wanted.shape), ")");
    check(is_floating(view.type), name, ": tensor ", wanted.name, " is ", name_of(view.type),
          " (expected floating point)");
    const auto [first, fresh] = stored.try_emplace(wanted.stored_as, &view);
    check(fresh || same_contents(*first->second, view), name, ": tensor ", wanted.name,
          " differs from the one it repeats (expected the same as ", wanted.stored_as, ")");
    if (fresh) weights.push_back({wanted.stored_as, view});
    tensors.erase(at);
  }
  check(tensors.empty(), name, ": tensor ",
        tensors.empty() ? "" : printable(tensors.begin()->first),
        " does not belong to the model the settings describe (", tensors.size(), " too many)");
  return weights;
}

void convert_to_model_file(const std::filesystem::path& checkpoint_path,
                           const std::filesystem::path& model, const ModelDescription& description,
                           Precision precision, Log& log) {
  const Checkpoint checkpoint(checkpoint_path);
  checkpoint.verify();
  const auto weights =
      published_weights(checkpoint, description.settings.model, checkpoint_path.string());
  report_not_finite(weights, checkpoint_path.string(), log);
  StoredTensors stored(precision);
  for (const auto& [name, view] : weights) stored.add(name, view);
  write_model_file(model, description, stored.views());
}

void rewrite_model_file(const ModelFile& file, const std::filesystem::path& model,
                        const ModelDescription& description, Precision precision) {
  StoredTensors stored(precision);
  for (const auto& [name, view] : file.tensors()) {
    if (name.starts_with(kOptimizerPrefix) || name.ends_with(kScaleSuffix)) continue;
    if (view.type == DType::f32)
      stored.add(name, view);
    else
      stored.add(name, file.weights(name));
  }
  write_model_file(model, description, stored.views());
}

void export_model(const std::filesystem::path& checkpoint, const std::filesystem::path& model,
                  Log& log) {
  const ModelFile file(checkpoint, log);
  std::vector<NamedView> tensors;
  for (const auto& [name, view] : file.tensors())
    if (!name.starts_with(kOptimizerPrefix)) tensors.push_back({name, view});
  write_model_file(model, file.description(), tensors);
}

void convert_to_checkpoint(const std::filesystem::path& model_path,
                           const std::filesystem::path& checkpoint, Log& log) {
  const ModelFile model(model_path, log);
  std::map<std::string, Array> weights;
  std::vector<NamedView> tensors;
  for (const SchemaTensor& wanted : schema_of(model.description().settings.model)) {
    check_interrupt();
    auto at = weights.find(wanted.stored_as);
    if (at == weights.end())
      at = weights.emplace(wanted.stored_as, model.weights(wanted.stored_as)).first;
    tensors.push_back({wanted.name, at->second.view()});
  }
  write_checkpoint(checkpoint, /*epoch=*/0, tensors);
}

}  // namespace pdvc
