// pdvc convert: published checkpoints to model files, and back.
#include <algorithm>
#include <cctype>
#include <memory>

#include "base/error.h"
#include "base/printable.h"
#include "command.h"
#include "data/conversion.h"

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
      .placeholder("NAME");
  visit("note", o.note, "one line about what the model knows").placeholder("TEXT");
}

bool is_model(const std::filesystem::path& path) {
  std::string extension = path.extension();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return extension == ".safetensors";
}

// On the way back the model file says it all.
void check_no_options(const ConvertOptions& o) {
  const bool any = !o.config.empty() || !o.vocabulary.empty() || !o.backbone.empty() ||
                   !o.note.empty() || o.precision != Precision::f32;
  if (any)
    throw UsageError("convert: options are for making a model file; " + o.input +
                     " is one already");
}

std::optional<Backbone> chosen_backbone(const ConvertOptions& options,
                                        const ModelSettings& settings) {
  if (options.backbone.empty()) return published_backbone(settings.feature_types);
  auto backbone = known_backbone(options.backbone);
  if (!backbone)
    throw UsageError(
        "--backbone: expected r2plus1d_34, r2plus1d_18, c3d, i3d or efficientnet_lite0, got " +
        options.backbone);
  check(backbone->width == settings.feature_width, options.backbone, ": makes features ",
        backbone->width, " wide (expected feature_dim ", settings.feature_width, ")");
  return backbone;
}

ModelDescription description_of(const ConvertOptions& options, Log& log) {
  ModelDescription description;
  description.settings = load_settings(options.config, {}, log);
  const ModelSettings& model = description.settings.model;
  description.backbone = chosen_backbone(options, model);
  description.note = options.note;
  for (std::string_view rest = options.note; !rest.empty(); rest.remove_prefix(utf8_length(rest)))
    if (utf8_length(rest) == 0) throw UsageError("--note: expected UTF-8 text");
  if (!model.has_captioner()) return description;
  if (options.vocabulary.empty())
    throw UsageError("convert: --vocabulary is needed for a model that captions");
  description.vocabulary = Vocabulary::read(options.vocabulary);
  check(description.vocabulary->size() == model.vocabulary_size, options.vocabulary, ": holds ",
        description.vocabulary->size(), " words (expected vocab_size ", model.vocabulary_size,
        " of ", options.config, ")");
  return description;
}

int run(const ConvertOptions& options, Session& session) {
  if (is_model(options.input) == is_model(options.output))
    throw UsageError("convert: expected a .pth and a .safetensors file, got " + options.input +
                     " and " + options.output);
  if (is_model(options.input)) {
    check_no_options(options);
    convert_to_checkpoint(options.input, options.output, session.log);
    return 0;
  }
  if (options.config.empty()) throw UsageError("convert: --config is needed to read a checkpoint");
  convert_to_model_file(options.input, options.output, description_of(options, session.log),
                        options.precision, session.log);
  return 0;
}

}  // namespace

Command convert_command() {
  auto options = std::make_shared<ConvertOptions>();
  return {.name = "convert",
          .summary = "turn a published checkpoint into a model file, or back",
          .examples =
              "  pdvc convert model-best.pth pdvc.safetensors --config anet_c3d_pdvc.yml "
              "--vocabulary vocabulary.json\n"
              "  pdvc convert model-best.pth small.safetensors --config anet_c3d_pdvc.yml "
              "--vocabulary vocabulary.json --precision int8\n"
              "  pdvc convert pdvc.safetensors for_python.pth",
          .options = fields_of(*options),
          .run = [options](Session& session) { return run(*options, session); }};
}

}  // namespace pdvc
