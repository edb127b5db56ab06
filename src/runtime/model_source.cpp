#include "runtime/model_source.h"

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "data/conversion.h"
#include "tensor/checkpoint.h"

namespace pdvc {
namespace {

Numbers floats_of(const ArrayView& view) {
  const auto* at = reinterpret_cast<const float*>(view.bytes.data());
  const bool in_place =
      view.type == DType::f32 && reinterpret_cast<uintptr_t>(at) % alignof(float) == 0;
  if (in_place) return Numbers(std::span(at, static_cast<size_t>(view.elements())));
  std::vector<float> numbers(static_cast<size_t>(view.elements()));
  to_floats(view, numbers);
  return numbers;
}

Numbers weights_of(const ModelFile& file, const std::string& name) {
  const ArrayView& view = file.tensors().at(name);
  if (view.type != DType::i8) return floats_of(view);
  const Array scaled = file.weights(name);
  return std::vector<float>(scaled.floats().begin(), scaled.floats().end());
}

// A checkpoint, open, and its tensors under their stored names.
struct OpenCheckpoint {
  Checkpoint checkpoint;
  std::map<std::string, ArrayView> tensors;
};

ModelSource source_of_checkpoint(const std::filesystem::path& path,
                                 const std::filesystem::path& config,
                                 const std::filesystem::path& vocabulary, Log& log) {
  ModelSource source;
  source.description.settings = load_settings(config, {}, log);
  const ModelSettings& settings = source.description.settings.model;
  source.description.backbone = published_backbone(settings.feature_types);
  if (settings.has_captioner()) {
    check(!vocabulary.empty(), path, ": a model that captions needs its words (--vocabulary FILE)");
    source.description.vocabulary = Vocabulary::read(vocabulary);
    check(source.description.vocabulary->size() == settings.vocabulary_size, vocabulary, ": holds ",
          source.description.vocabulary->size(), " words (expected vocab_size ",
          settings.vocabulary_size, " of ", config, ")");
  }
  auto open = std::make_shared<OpenCheckpoint>(OpenCheckpoint{Checkpoint(path), {}});
  for (auto& [name, view] : published_weights(open->checkpoint, settings, path))
    open->tensors.emplace(name, view);
  source.weights = [open](const std::string& name) { return floats_of(open->tensors.at(name)); };
  source.give_back = [open] { give_back_pages(open->checkpoint.bytes()); };
  return source;
}

DensePrecision stored_precision(const ModelFile& file) {
  const auto holds = [&](DType type) {
    return std::ranges::any_of(file.tensors(),
                               [&](const auto& tensor) { return tensor.second.type == type; });
  };
  if (holds(DType::i8)) return DensePrecision::int8;
  return holds(DType::bf16) ? DensePrecision::bf16 : DensePrecision::f32;
}

}  // namespace

ModelSource source_of(const std::shared_ptr<const ModelFile>& file) {
  return {.description = file->description(),
          .stored = stored_precision(*file),
          .weights = [file](const std::string& name) { return weights_of(*file, name); },
          .give_back = [file] { give_back_pages(file->bytes()); }};
}

ModelSource open_model(const std::filesystem::path& path, const std::filesystem::path& config,
                       const std::filesystem::path& vocabulary, Log& log) {
  const MappedFile file(path);
  if (looks_like_safetensors(file.bytes())) {
    check(config.empty() && vocabulary.empty(), path,
          ": a model file has its own settings and words (--config and --vocabulary are for .pth)");
    return source_of(std::make_shared<const ModelFile>(path, log));
  }
  check(!config.empty(), path, ": a checkpoint needs its settings (--config FILE)");
  return source_of_checkpoint(path, config, vocabulary, log);
}

}  // namespace pdvc
