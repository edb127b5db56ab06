// Models small enough for tests, with weights made by a rule.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <string>

#include "data/model_file.h"
#include "data/model_schema.h"
#include "tensor/checkpoint_writer.h"

namespace pdvc {

inline Settings small_settings(CaptionerKind captioner) {
  Settings settings;
  settings.model = {.feature_types = {"c3d"},
                    .feature_width = 6,
                    .hidden = 32,
                    .feed_forward = 8,
                    .heads = 2,
                    .levels = 2,
                    .queries = 3,
                    .refine_boxes = true,
                    .captioner = captioner,
                    .vocabulary_size = 5,
                    .word_width = 4,
                    .rnn_width = 8,
                    .attention_width = 4,
                    .caption_heads = 1,
                    .caption_levels = 2};
  return settings;
}

inline Vocabulary small_vocabulary() { return Vocabulary({"a", "man", "runs", "fast", "UNK"}); }

// Every tensor of the schema; repeats look at the bytes of the one they repeat. `arrays` owns them.
inline std::vector<NamedView> small_weights(const ModelSettings& settings,
                                            std::deque<Array>& arrays) {
  std::map<std::string, ArrayView> stored;
  std::vector<NamedView> tensors;
  float value = -1;
  for (const SchemaTensor& tensor : schema_of(settings)) {
    if (!stored.contains(tensor.stored_as)) {
      Array& array = arrays.emplace_back(DType::f32, tensor.shape);
      for (float& x : array.floats()) x = value = value > 1 ? -1 : value + 0.01f;
      stored[tensor.stored_as] = array.view();
    }
    tensors.push_back({tensor.name, stored[tensor.stored_as]});
  }
  return tensors;
}

inline void write_small_checkpoint(const std::filesystem::path& path,
                                   const ModelSettings& settings) {
  std::deque<Array> arrays;
  write_checkpoint(path, 3, small_weights(settings, arrays));
}

// A model file that captions, with random weights: the same for the same settings.
inline void write_small_model(const std::filesystem::path& path, const Settings& settings,
                              std::optional<Backbone> backbone = known_backbone("r2plus1d_34")) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> value(-0.5f, 0.5f);
  std::deque<Array> arrays;
  std::vector<NamedView> tensors;
  for (const SchemaTensor& tensor : schema_of(settings.model)) {
    if (tensor.is_repeat()) continue;
    Array& array = arrays.emplace_back(DType::f32, tensor.shape);
    // Words that differ much, so that the next one depends on the last.
    const bool words = tensor.name == "caption_head.0.embed.weight";
    const float scale = words ? 40.0f : tensor.name.starts_with("caption_head") ? 2.0f : 1.0f;
    std::ranges::generate(array.floats(), [&] { return scale * value(random); });
    tensors.push_back({tensor.name, array.view()});
  }
  ModelDescription description{.settings = settings, .backbone = std::move(backbone)};
  if (settings.model.has_captioner()) description.vocabulary = small_vocabulary();
  write_model_file(path, description, tensors);
}

}  // namespace pdvc
