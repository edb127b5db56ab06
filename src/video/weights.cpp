#include "video/weights.h"

#include <map>

#include "base/error.h"
#include "base/printable.h"
#include "tensor/checkpoint.h"
#include "tensor/safetensors.h"

namespace pdvc {
namespace {

bool fits(const Shape& shape, const Shape& wanted) {
  if (shape.size() != wanted.size()) return false;
  for (size_t d = 0; d < shape.size(); ++d)
    if (wanted[d] >= 0 && shape[d] != wanted[d]) return false;
  return true;
}

std::map<std::string, ArrayView> tensors_of(const Checkpoint& checkpoint) {
  std::map<std::string, ArrayView> tensors;
  for (const CheckpointEntry& entry : checkpoint.entries())
    if (const auto* view = std::get_if<ArrayView>(&entry.value)) tensors[entry.path] = *view;
  return tensors;
}

// What stands before `landmark` where it is a whole name or the end of one.
std::string prefix_of(const std::map<std::string, ArrayView>& tensors, const std::string& landmark,
                      const std::filesystem::path& path) {
  for (const auto& [name, view] : tensors) {
    if (!name.ends_with(landmark)) continue;
    std::string prefix = name.substr(0, name.size() - landmark.size());
    if (prefix.empty() || prefix.ends_with('/') || prefix.ends_with('.')) return prefix;
  }
  fail(path, ": holds none of the network's weights (expected a tensor ", landmark, ")");
}

class WeightFile : public WeightSource {
 public:
  WeightFile(const std::filesystem::path& path, const std::string& landmark) : path_(path) {
    const MappedFile start(path);
    if (looks_like_safetensors(start.bytes())) {
      safetensors_.emplace(path);
      tensors_ = safetensors_->tensors();
    } else {
      checkpoint_.emplace(path);
      tensors_ = tensors_of(*checkpoint_);
    }
    prefix_ = prefix_of(tensors_, landmark, path);
  }

  std::optional<Shape> shape_of(const std::string& name) const override {
    const auto found = tensors_.find(prefix_ + name);
    return found == tensors_.end() ? std::nullopt : std::optional(found->second.shape);
  }

  Array get(const std::string& name, const Shape& shape) const override {
    const auto found = tensors_.find(prefix_ + name);
    check(found != tensors_.end(), path_, ": tensor ", prefix_, name, " is missing (expected ",
          shape_text(shape), ")");
    const ArrayView& view = found->second;
    check(fits(view.shape, shape), path_, ": tensor ", prefix_, name, " has shape ",
          shape_text(view.shape), " (expected ", shape_text(shape), ")");
    check(is_floating(view.type), path_, ": tensor ", prefix_, name, " is ", name_of(view.type),
          " (expected floating point)");
    return to_floats(view);
  }

 private:
  std::filesystem::path path_;
  std::optional<Safetensors> safetensors_;
  std::optional<Checkpoint> checkpoint_;
  std::map<std::string, ArrayView> tensors_;
  std::string prefix_;
};

}  // namespace

std::unique_ptr<WeightSource> open_weights(const std::filesystem::path& path,
                                           const std::string& landmark) {
  return std::make_unique<WeightFile>(path, landmark);
}

}  // namespace pdvc
