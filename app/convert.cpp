// pdvc convert: published checkpoints to model files, and back; model files to smaller ones.
#include <memory>

#include "base/error.h"
#include "base/file_name.h"
#include "base/printable.h"
#include "command.h"
#include "data/conversion.h"
#include "video/backbones.h"

namespace pdvc {
namespace {

struct ConvertOptions {
  std::string input, output;
  std::string config, vocabulary;
  Precision precision = Precision::f32;
  std::string backbone;
  std::string note;
};

void fields(ConvertOptions& o, FieldList& visit) {
  visit("input", o.input, "checkpoint (.pth) or model file (.safetensors)").positional().required();
  visit("output", o.output, "model file (.safetensors) or checkpoint (.pth) to write")
      .positional()
      .required();
  visit("config", o.config,
        "settings the checkpoint was trained with (YAML, or a run's options as JSON)")
      .placeholder("FILE");
  visit("vocabulary", o.vocabulary, "the words it was trained with").placeholder("FILE");
  visit("precision", o.precision, "how large matrices are stored");
  visit("backbone", o.backbone,
        "what makes its features from video; default: what visual_feature_type says")
      .one_of(backbone_names());
  visit("note", o.note, "one line about what the model knows").placeholder("TEXT");
}

bool is_model(const std::filesystem::path& path) { return lower_extension(path) == ".safetensors"; }

// What a model file says itself.
void check_no_source(const ConvertOptions& o) {
  if (!o.config.empty() || !o.vocabulary.empty())
    throw UsageError("convert: --config and --vocabulary are for a checkpoint; " + o.input +
                     " is a model file");
}

void check_note(const std::string& note) {
  for (std::string_view rest = note; !rest.empty(); rest.remove_prefix(utf8_length(rest)))
    if (utf8_length(rest) == 0) throw UsageError("--note: expected UTF-8 text");
}

Backbone chosen_backbone(const std::string& name, const ModelSettings& settings) {
  Backbone backbone = known_backbone(name).value();
  check(backbone.width == settings.feature_width, name, ": makes features ", backbone.width,
        " wide (expected feature_dim ", settings.feature_width, ")");
  return backbone;
}

// What the options say of the model replaces what is known of it.
void describe(const ConvertOptions& options, ModelDescription& description) {
  if (!options.backbone.empty())
    description.backbone = chosen_backbone(options.backbone, description.settings.model);
  if (!options.note.empty()) description.note = options.note;
}

ModelDescription description_of(const ConvertOptions& options, Log& log) {
  ModelDescription description;
  description.settings = load_settings(options.config, {}, log);
  const ModelSettings& model = description.settings.model;
  description.backbone = published_backbone(model.feature_types);
  describe(options, description);
  if (!model.has_captioner()) return description;
  if (options.vocabulary.empty())
    throw UsageError("convert: --vocabulary is needed for a model that captions");
  description.vocabulary = Vocabulary::read(options.vocabulary);
  check(description.vocabulary->size() == model.vocabulary_size, options.vocabulary, ": holds ",
        description.vocabulary->size(), " words (expected vocab_size ", model.vocabulary_size,
        " of ", options.config, ")");
  return description;
}

void checkpoint_to_model(const ConvertOptions& options, Log& log) {
  if (options.config.empty()) throw UsageError("convert: --config is needed to read a checkpoint");
  convert_to_model_file(options.input, options.output, description_of(options, log),
                        options.precision, log);
}

void model_to_model(const ConvertOptions& options, Log& log) {
  check_no_source(options);
  const ModelFile model(options.input, log);
  ModelDescription description = model.description();
  describe(options, description);
  rewrite_model_file(model, options.output, description, options.precision);
}

void model_to_checkpoint(const ConvertOptions& options, Log& log) {
  check_no_source(options);
  if (!options.backbone.empty() || !options.note.empty() || options.precision != Precision::f32)
    throw UsageError("convert: --backbone, --note and --precision are for making a model file; " +
                     options.output + " is a checkpoint");
  convert_to_checkpoint(options.input, options.output, log);
}

int run(const ConvertOptions& options, Session& session) {
  check_note(options.note);
  if (!is_model(options.input) && !is_model(options.output))
    throw UsageError("convert: expected a .safetensors file among the two, got " + options.input +
                     " and " + options.output);
  if (!is_model(options.input))
    checkpoint_to_model(options, session.log);
  else if (is_model(options.output))
    model_to_model(options, session.log);
  else
    model_to_checkpoint(options, session.log);
  return 0;
}

}  // namespace

Command convert_command() {
  auto options = std::make_shared<ConvertOptions>();
  return {
      .name = "convert",
      .summary = "turn a published checkpoint into a model file, or back; store a model smaller",
      .examples =
          "  pdvc convert model-best.pth pdvc.safetensors --config anet_c3d_pdvc.yml "
          "--vocabulary vocabulary.json\n"
          "  pdvc convert model-best.pth small.safetensors --config anet_c3d_pdvc.yml "
          "--vocabulary vocabulary.json --precision int8\n"
          "  pdvc convert runs/mine/best.safetensors small.safetensors --precision f16\n"
          "  pdvc convert pdvc.safetensors for_python.pth",
      .options = fields_of(*options),
      .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
