// Models small enough for tests, with weights made by a rule.
#pragma once

#include <deque>
#include <map>
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

}  // namespace pdvc
