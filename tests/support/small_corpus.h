// A training corpus small enough for tests: features that carry the captions, written to a folder.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/files.h"

namespace pdvc {

struct CorpusOptions {
  int videos = 4;
  int rows = 12;
  int events = 2;
};

// Writes features/{video}.npy [rows, 6], train.json and settings.yml for a model of a few thousand
// weights.
class SmallCorpus {
 public:
  explicit SmallCorpus(CorpusOptions options = {}) : options_(options) {
    std::filesystem::create_directory(folder / "features");
    nlohmann::ordered_json annotations;
    for (int v = 0; v < options.videos; ++v) {
      const std::string name = "v_" + std::to_string(v);
      annotations[name] = annotation(v);
      write_features(name, v);
    }
    write_annotations(annotations);
    folder.write("settings.yml", settings());
  }

  void write_annotations(const nlohmann::ordered_json& annotations) const {
    folder.write("train.json", annotations.dump());
  }

  void write_features(const std::string& name, int seed) const {
    std::vector<float> values;
    for (int row = 0; row < options_.rows; ++row)
      for (int channel = 0; channel < 6; ++channel)
        values.push_back(std::sin(static_cast<float>(1 + seed + row * (channel + 1))));
    folder.write("features/" + name + ".npy", float_npy({options_.rows, 6}, values));
  }

  nlohmann::ordered_json annotation(int seed) const {
    static const std::vector<std::string> sentences = {"a man runs", "a dog jumps high",
                                                       "the man sits down", "a bird sings a song"};
    nlohmann::ordered_json timestamps = nlohmann::ordered_json::array(), said = timestamps;
    for (int e = 0; e < options_.events; ++e) {
      timestamps.push_back({e * 3.0, e * 3.0 + 4.0 + seed % 3});
      said.push_back(sentences[static_cast<size_t>(seed + e) % sentences.size()]);
    }
    return {{"duration", 12.0}, {"timestamps", timestamps}, {"sentences", said}};
  }

  // "key=value" words that name this corpus's files.
  std::vector<std::string> files() const {
    return {"train_caption_file=" + (folder / "train.json").string(),
            "val_caption_file=" + (folder / "train.json").string(),
            "visual_feature_folder=" + (folder / "features").string()};
  }

  TemporaryFolder folder;

 private:
  static std::string settings() {
    return R"(visual_feature_type: c3d
feature_dim: 6
frame_embedding_num: 12
hidden_dim: 32
transformer_ff_dim: 16
nheads: 2
num_feature_levels: 2
cap_num_feature_levels: 2
num_queries: 4
enc_layers: 1
dec_layers: 2
with_box_refine: 1
caption_decoder_type: light
input_encoding_size: 16
rnn_size: 16
att_hid_size: 16
cap_nheads: 1
max_caption_len: 8
max_eseq_length: 4
set_cost_class: 2
set_cost_giou: 4
lr: 0.003
epoch: 3
criteria_for_best_ckpt: f1
validation: localisation
)";
  }

  CorpusOptions options_;
};

}  // namespace pdvc
