// The model file: one .safetensors that captions, with weights, settings, vocabulary and how its
// features are made.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "data/settings.h"
#include "tensor/safetensors.h"
#include "text/vocabulary.h"

namespace pdvc {

// How a video becomes the features a model was trained on.
struct Backbone {
  std::string name;
  std::optional<double> frames_per_second;  // that the video is sampled at; none: its own rate
  int64_t frames = 16;                      // of one clip
  int64_t stride = 16;                      // frames from clip to clip
  std::string output = "features";          // or "scores"
  int64_t width = 512;                      // of a feature row
  int64_t version = 1;                      // another one: the same name, other numbers

  // How far apart two rows are; none where that depends on the video.
  std::optional<double> seconds_per_row() const;
};

void fields(Backbone& backbone, FieldList& visit);  // all but frames_per_second, which may be none

// The networks and descriptors whose features published models use; null for a name that is not
// known.
std::optional<Backbone> known_backbone(std::string_view name);
// What a setting's visual_feature_type stands for: [tsp] r2plus1d_34, a backbone's name itself,
// else none.
std::optional<Backbone> published_backbone(const std::vector<std::string>& feature_types);

struct ModelDescription {
  Settings settings;
  std::optional<Vocabulary> vocabulary;  // none: the model only finds events
  std::optional<Backbone> backbone;
  std::string note;
};

// A model file, open: its description, and its tensors where they lie in the mapping.
class ModelFile {
 public:
  // Throws unless it is a model file of a known version whose tensors are those its settings ask
  // for.
  ModelFile(const std::filesystem::path& path, Log& log);
  ModelFile(Safetensors file, const std::string& name, Log& log);

  const ModelDescription& description() const { return description_; }
  // Weights under their stored names: f32, f16, bf16, or i8 with "NAME.scale" beside it.
  const std::map<std::string, ArrayView>& tensors() const { return file_.tensors(); }
  const std::map<std::string, std::string>& metadata() const { return file_.metadata(); }
  // One weight as f32, whatever it is stored as.
  Array weights(const std::string& name) const;
  // The file's bytes, so that pages no longer needed can be given back.
  Bytes bytes() const { return file_.bytes(); }

 private:
  void check_tensors(const std::string& name) const;

  Safetensors file_;
  ModelDescription description_;
};

bool is_model_file(const Safetensors& file);

// `more` is metadata that others than models read, as training does.
void write_model_file(const std::filesystem::path& path, const ModelDescription& description,
                      const std::vector<NamedView>& tensors,
                      const std::map<std::string, std::string>& more = {});

Json backbone_json(const std::optional<Backbone>& backbone);
// Back, of what a stranger may have written. `origin` is for messages.
std::optional<Backbone> parse_backbone(const Json& json, const std::string& origin);

}  // namespace pdvc
