// The golden cases made by a rule: weights, features and annotations that a test can make itself.
#pragma once

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json.h"
#include "criterion/targets.h"
#include "data/annotations.h"
#include "data/resample.h"
#include "data/settings.h"
#include "model/pdvc.h"
#include "model/weights.h"
#include "support/files.h"
#include "support/formula_number.h"
#include "text/caption.h"
#include "training/examples.h"

namespace pdvc {

// The first name of a parameter in a published state dictionary.
inline std::string first_name(const std::string& name, const ModelSettings& settings) {
  return settings.refine_boxes && name.starts_with("bbox_head.") ? "transformer.decoder." + name
                                                                 : name;
}

inline void fill_parameter(Tensor& parameter, const std::string& name) {
  const uint32_t hash = name_hash(name);
  const auto ends = [&](const char* suffix) { return name.ends_with(suffix); };
  const double count = static_cast<double>(parameter.numel()),
               rows = parameter.dim() > 0 ? static_cast<double>(parameter.size(0)) : 1;
  const auto value = [&](uint64_t i) {
    const double u = formula_number(hash, i);
    if (ends("query_embed.weight") || ends("level_embed") || ends(".embed.weight"))
      return 2 * u - 1;
    if (ends(".logit.weight")) return 6 * (2 * u - 1) * std::sqrt(3 / (count / rows));
    if (ends(".logit.bias")) return i == 0 ? 1.5 : 2 * (2 * u - 1);
    if (ends("sampling_offsets.bias")) return 8 * u - 4;
    if (ends("reference_points.weight")) return 3 * (2 * u - 1) * std::sqrt(3 / (count / rows));
    if (parameter.dim() >= 2) return (2 * u - 1) * std::sqrt(3 * rows / count);
    return ends("bias") ? 0.2 * (u - 0.5) : 0.75 + 0.5 * u;
  };
  torch::NoGradGuard no_grad;
  auto* data = parameter.data_ptr<float>();
  for (int64_t i = 0; i < parameter.numel(); ++i)
    data[i] = static_cast<float>(value(static_cast<uint64_t>(i)));
}

// One video with what it holds and what should be found in it.
struct GoldenExample {
  VideoBatch batch;
  Targets targets;
  Proposals proposals;  // its own events, for the proposal modes
};

inline Array formula_features(const std::string& video, const Settings& settings) {
  const auto rows = 15 + static_cast<int64_t>(40 * formula_number(name_hash(video + ".rows"), 0));
  const std::map<std::string, int64_t> widths = {{"c3d", 500}, {"resnet", 2048}, {"bn", 1024}};
  std::vector<Array> streams;
  for (const std::string& stream : settings.model.feature_types) {
    Array& array = streams.emplace_back(DType::f32, Shape{rows, widths.at(stream)});
    const uint32_t hash = name_hash(video + "." + stream);
    for (size_t i = 0; i < array.floats().size(); ++i)
      array.floats()[i] = static_cast<float>(2 * formula_number(hash, i) - 1);
  }
  return joined_streams(streams, settings.model.frames, video);
}

inline GoldenExample example_of(const VideoEvents& video, const Array& features,
                                const Vocabulary& vocabulary, int64_t longest) {
  GoldenExample example;
  example.batch.features = to_torch(features.view()).unsqueeze(0);
  example.batch.mask = torch::ones({1, features.shape()[0]}, torch::kBool);
  example.batch.durations = torch::tensor({static_cast<float>(*video.duration)});
  example.targets = {targets_of(video, vocabulary, longest)};
  const Tensor boxes = example.targets[0].boxes.unsqueeze(0);
  example.proposals = {boxes, torch::ones({1, boxes.size(1)}, torch::kBool)};
  return example;
}

// A golden case: its model, its corpus and its numbers.
class FormulaCase {
 public:
  explicit FormulaCase(const std::string& name)
      : settings(load_settings(folder(name) / "options.json", {}, log.log)),
        vocabulary(Vocabulary::read(folder("corpus") / "vocabulary.json")),
        model(settings.model),
        numbers(parse_json(contents_of(folder(name) / "numbers.json"), name)) {
    for (auto& parameter : model->named_parameters())
      fill_parameter(parameter.value(), first_name(parameter.key(), settings.model));
    for (const char* split : {"train.json", "val.json"})
      for (VideoEvents& video : read_annotations(folder("corpus") / split, kTrainingData, log.log))
        videos[video.video] = video;
    model->eval();
  }

  static std::filesystem::path folder(const std::string& name) {
    return test_file("formula/" + name);
  }

  GoldenExample example(const std::string& video) const {
    return example_of(videos.at(video), formula_features(video, settings), vocabulary,
                      settings.model.longest_caption);
  }
  std::optional<Proposals> proposals(const GoldenExample& example) const {
    if (settings.model.query_source == QuerySource::queries) return std::nullopt;
    return example.proposals;
  }

  RecordingLog log;
  Settings settings;
  Vocabulary vocabulary;
  Pdvc model;
  Json numbers;
  std::map<std::string, VideoEvents> videos;
};

}  // namespace pdvc
