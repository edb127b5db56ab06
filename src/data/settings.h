// All settings of a model and its training, under the keys of the published YAML files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace pdvc {

enum class CaptionerKind { none, light, standard, soft, transformer };
constexpr std::array<std::string_view, 5> names_of(CaptionerKind) {
  return {"none", "light", "standard", "soft", "transformer"};
}
enum class TransformerKind { deformable, ordinary };
constexpr std::array<std::string_view, 2> names_of(TransformerKind) {
  return {"deformable", "ordinary"};
}
enum class QuerySource { queries, gt_proposals };
constexpr std::array<std::string_view, 2> names_of(QuerySource) {
  return {"queries", "gt_proposals"};
}
// What training is told: where events are and what happens in them, or only the sentences.
enum class Supervision { full, captions };
constexpr std::array<std::string_view, 2> names_of(Supervision) { return {"full", "captions"}; }
enum class Padding { exact, published };
constexpr std::array<std::string_view, 2> names_of(Padding) { return {"exact", "published"}; }

enum class Schedule { step, cosine, constant };
constexpr std::array<std::string_view, 3> names_of(Schedule) {
  return {"step", "cosine", "constant"};
}
// What is scored while training: everything, or only where events are.
enum class ValidationKind { full, localisation };
constexpr std::array<std::string_view, 2> names_of(ValidationKind) {
  return {"full", "localisation"};
}
// The score by which a checkpoint is the best: as published for dense captions (METEOR + SODA) and
// for paragraphs (METEOR + CIDEr + BLEU-4), or a single one.
enum class BestBy { dvc, pc, f1, meteor, cider, soda };
constexpr std::array<std::string_view, 6> names_of(BestBy) {
  return {"dvc", "pc", "f1", "meteor", "cider", "soda"};
}
// Where the counter's loss takes the rarity of each number of events from.
enum class CountShares { training, published };
constexpr std::array<std::string_view, 2> names_of(CountShares) {
  return {"training", "published"};
}

// What the model is: enough to build it, to load its weights and to caption.
struct ModelSettings {
  // Input.
  std::vector<std::string> feature_types = {"c3d"};
  int64_t feature_width = 500;
  int64_t frames = 100;
  bool resample = true;
  Padding padding = Padding::exact;
  // Transformer.
  TransformerKind transformer = TransformerKind::deformable;
  QuerySource query_source = QuerySource::queries;
  int64_t hidden = 512;
  int64_t feed_forward = 512;
  int64_t heads = 8;
  int64_t levels = 4;
  int64_t encoder_layers = 2;
  int64_t decoder_layers = 2;
  int64_t encoder_points = 4;
  int64_t decoder_points = 4;
  int64_t queries = 100;
  bool refine_boxes = false;
  double transformer_dropout = 0.1;
  Supervision supervision = Supervision::full;
  // Heads.
  int64_t max_events = 10;
  CaptionerKind captioner = CaptionerKind::light;
  int64_t vocabulary_size = 5747;
  int64_t word_width = 512;
  int64_t rnn_width = 512;
  int64_t attention_width = 0;
  int64_t caption_heads = 8;
  int64_t caption_points = 4;
  int64_t caption_levels = 4;
  int64_t caption_layers = 2;
  double caption_dropout = 0.5;
  int64_t longest_caption = 30;
  // From outputs to captions.
  double rank_weight = 0.3;

  bool has_captioner() const { return captioner != CaptionerKind::none; }
};

// How queries and events are matched.
struct MatchingSettings {
  double class_cost = 1;
  double box_cost = 0;
  double giou_cost = 2;
  double caption_cost = 0;
  double alpha = 0.25;
  double gamma = 2;
};

struct LossSettings {
  double box = 0;
  double giou = 4;
  double label = 2;
  double count = 0.5;
  double caption = 2;
  double focal_alpha = 0.25;
  double focal_gamma = 2;
  bool every_layer = true;
  bool gaussian_count_mask = true;
  bool count_cross_entropy = false;
  CountShares count_shares = CountShares::training;
};

struct TrainingSettings {
  int64_t epochs = 30;
  int64_t batch_size = 1;
  bool shuffle = true;
  int64_t evaluation_batch_size = 1;
  std::string optimizer = "adam";
  double learning_rate = 1e-4;
  double weight_decay = 1e-4;
  Schedule schedule = Schedule::step;
  int64_t warmup = 0;
  int64_t accumulate = 1;
  double ema = 0;
  int64_t decay_start = 8;
  int64_t decay_every = 3;
  double decay_rate = 0.5;
  double gradient_clip = 100;
  int64_t events_per_video = 10;
  int64_t sampling_start = -1;
  double sampling_initial = 0;
  int64_t sampling_every = 2;
  double sampling_step = 0.05;
  double sampling_most = 0.25;
  BestBy best_by = BestBy::dvc;
  int64_t validate_every = 1;
  ValidationKind validation = ValidationKind::full;
  int64_t patience = 0;
  double checkpoint_minutes = 10;
  int64_t loader_threads = 0;
  int64_t cache_megabytes = 2048;
  int64_t seed = 777;
};

// Files on the machine that trains; a model file does not carry them.
struct FileSettings {
  std::string train_captions;
  std::string validation_captions;
  std::vector<std::string> invalid_videos;
  std::vector<std::string> feature_folders;
  std::vector<std::string> references;
  std::vector<std::string> paragraph_references;
  std::string vocabulary;
};

struct Settings {
  ModelSettings model;
  MatchingSettings matching;
  LossSettings losses;
  TrainingSettings training;
  FileSettings files;
};

void fields(ModelSettings& settings, FieldList& visit);
void fields(MatchingSettings& settings, FieldList& visit);
void fields(LossSettings& settings, FieldList& visit);
void fields(TrainingSettings& settings, FieldList& visit);
void fields(FileSettings& settings, FieldList& visit);
void fields(Settings& settings, FieldList& visit);

// Reads a settings file on top of the defaults, then "key=value" overrides, and checks that the
// whole makes sense.
Settings load_settings(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                       Log& log);
Settings settings_from(const std::vector<SettingValue>& assignments, const std::string& name,
                       Log& log);

// What a model file carries: everything but the files of the machine that trained it.
Json model_file_settings(const Settings& settings);

// What single values cannot show: widths that must divide each other. `name` is for messages.
void check_consistent(const ModelSettings& settings, const std::string& name);

}  // namespace pdvc
