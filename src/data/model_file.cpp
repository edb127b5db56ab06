#include "data/model_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/printable.h"
#include "data/model_schema.h"
#include "tensor/quantize.h"

namespace pdvc {
namespace {

constexpr const char* kFormat = "pdvc";
constexpr const char* kVersion = "1";

const std::string& metadata_entry(const Safetensors& file, const char* key,
                                  const std::string& name) {
  const auto at = file.metadata().find(key);
  check(at != file.metadata().end(), name, ": is not a model file (its metadata has no \"", key,
        "\")");
  return at->second;
}

Settings parse_model_settings(const Safetensors& file, const std::string& name, Log& log) {
  const std::string origin = name + ": settings";
  const Json json = parse_json(metadata_entry(file, "settings", name), origin);
  check(json.is_object(), origin, ": expected an object");
  std::vector<SettingValue> assignments;
  for (const auto& [key, value] : json.items())
    assignments.push_back({printable(key), value, origin});
  return settings_from(assignments, origin, log);
}

std::optional<Vocabulary> parse_model_vocabulary(const Safetensors& file, const Settings& settings,
                                                 const std::string& name) {
  if (!settings.model.has_captioner()) return std::nullopt;
  const std::string origin = name + ": vocabulary";
  Vocabulary vocabulary = Vocabulary::parse(metadata_entry(file, "vocabulary", name), origin);
  check(vocabulary.size() == settings.model.vocabulary_size, origin, ": holds ", vocabulary.size(),
        " words (expected vocab_size ", settings.model.vocabulary_size, ")");
  return vocabulary;
}

std::optional<Backbone> backbone_of(const Safetensors& file, const std::string& name) {
  const std::string origin = name + ": backbone";
  return parse_backbone(parse_json(metadata_entry(file, "backbone", name), origin), origin);
}

void set_rate(const Json& value, Backbone& backbone) {
  constexpr double kSlowest = 0.001, kFastest = 1000;
  if (value.is_null()) return;
  const bool fits =
      value.is_number() && value.get<double>() >= kSlowest && value.get<double>() <= kFastest;
  check(fits, "expected null or a number from ", kSlowest, " to ", kFastest, ", got ",
        json_excerpt(value));
  backbone.frames_per_second = value.get<double>();
}

}  // namespace

std::optional<Backbone> parse_backbone(const Json& json, const std::string& origin) {
  if (json.is_null()) return std::nullopt;
  check(json.is_object() && json.contains("name") && json["name"].is_string(), origin,
        ": expected null or an object with a name");
  Backbone backbone;
  FieldList list = fields_of(backbone);
  for (const auto& [key, value] : json.items()) try {
      if (key == "frames_per_second")
        set_rate(value, backbone);
      else if (Field* field = list.find(key))
        field->set(value);
    } catch (const Error& error) {
      fail(origin, ": ", printable(key), ": ", error.what());
    }
  return backbone;
}

void fields(Backbone& b, FieldList& visit) {
  visit("name", b.name, "");
  visit("frames", b.frames, "").within(1, 1e4);
  visit("stride", b.stride, "").within(1, 1e4);
  visit("output", b.output, "").one_of({"features", "scores"});
  visit("width", b.width, "").within(1, 1e6);
  visit("version", b.version, "").within(1, 1e6);
}

std::optional<double> Backbone::seconds_per_row() const {
  if (!frames_per_second) return std::nullopt;
  return static_cast<double>(stride) / *frames_per_second;
}

std::optional<Backbone> known_backbone(std::string_view name) {
  if (name == "r2plus1d_34" || name == "r2plus1d_18")
    return Backbone{.name = std::string(name),
                    .frames_per_second = 15,
                    .frames = 16,
                    .stride = 16,
                    .width = 512};
  // The published features are the 500 main components of each clip's 4096.
  if (name == "c3d") return Backbone{.name = "c3d", .frames = 16, .stride = 8, .width = 500};
  if (name == "i3d")
    return Backbone{
        .name = "i3d", .frames_per_second = 25, .frames = 64, .stride = 64, .width = 1024};
  if (name == "efficientnet_lite0")
    return Backbone{.name = "efficientnet_lite0",
                    .frames_per_second = 1,
                    .frames = 1,
                    .stride = 1,
                    .width = 1280};
  // Half a clip apart: events of two seconds are seen in several rows.
  if (name == "pixels")
    return Backbone{
        .name = "pixels", .frames_per_second = 15, .frames = 16, .stride = 8, .width = 370};
  return std::nullopt;
}

std::optional<Backbone> published_backbone(const std::vector<std::string>& feature_types) {
  if (feature_types.size() != 1) return std::nullopt;
  return known_backbone(feature_types[0] == "tsp" ? "r2plus1d_34" : feature_types[0]);
}

Json backbone_json(const std::optional<Backbone>& backbone) {
  if (!backbone) return nullptr;
  Backbone copy = *backbone;
  Json json = fields_of(copy).to_json();
  json["frames_per_second"] =
      copy.frames_per_second ? Json(*copy.frames_per_second) : Json(nullptr);
  return json;
}

bool is_model_file(const Safetensors& file) {
  const auto at = file.metadata().find("format");
  return at != file.metadata().end() && at->second == kFormat;
}

ModelFile::ModelFile(const std::filesystem::path& path, Log& log)
    : ModelFile(Safetensors(path), path.string(), log) {}

ModelFile::ModelFile(Safetensors file, const std::string& name, Log& log) : file_(std::move(file)) {
  check(is_model_file(file_), name, ": is not a model file (expected metadata \"format\" = \"",
        kFormat, "\")");
  const std::string& version = metadata_entry(file_, "format_version", name);
  check(version == kVersion, name, ": is a model file of version ", printable(version),
        " (expected ", kVersion, ")");
  description_.settings = parse_model_settings(file_, name, log);
  description_.vocabulary = parse_model_vocabulary(file_, description_.settings, name);
  description_.backbone = backbone_of(file_, name);
  const auto note = file_.metadata().find("note");
  if (note != file_.metadata().end()) description_.note = note->second;
  check_tensors(name);
}

// Tensors under "optimizer." belong to training and may be there.
void ModelFile::check_tensors(const std::string& name) const {
  std::set<std::string> expected;
  for (const SchemaTensor& wanted : schema_of(description_.settings.model)) {
    if (wanted.is_repeat()) continue;
    const auto at = tensors().find(wanted.name);
    check(at != tensors().end(), name, ": tensor ", wanted.name, " is missing (expected ",
          shape_text(wanted.shape), ")");
    const ArrayView& view = at->second;
    check(view.shape == wanted.shape, name, ": tensor ", wanted.name, " has shape ",
          shape_text(view.shape), " (expected ", shape_text(wanted.shape), ")");
    expected.insert(wanted.name);
    if (is_floating(view.type)) continue;
    const std::string scale_name = wanted.name + ".scale";
    const auto scale = tensors().find(scale_name);
    check(view.type == DType::i8 && scale != tensors().end(), name, ": tensor ", wanted.name,
          " is ", name_of(view.type), " (expected floating point, or int8 with ", scale_name, ")");
    check(scale->second.type == DType::f32 && scale->second.shape == Shape{wanted.shape.at(0)},
          name, ": tensor ", scale_name, " has shape ", shape_text(scale->second.shape),
          " (expected float32 [", wanted.shape.at(0), "])");
    expected.insert(scale_name);
  }
  for (const auto& [tensor, view] : tensors())
    check(expected.contains(tensor) || tensor.starts_with("optimizer."), name, ": tensor ",
          printable(tensor), " does not belong to the model its settings describe");
}

Array ModelFile::weights(const std::string& name) const {
  const ArrayView& view = tensors().at(name);
  return view.type == DType::i8 ? dequantized(view, tensors().at(name + ".scale"))
                                : to_floats(view);
}

void write_model_file(const std::filesystem::path& path, const ModelDescription& description,
                      const std::vector<NamedView>& tensors,
                      const std::map<std::string, std::string>& more) {
  std::map<std::string, std::string> metadata = {
      {"format", kFormat},
      {"format_version", kVersion},
      {"settings", json_text(model_file_settings(description.settings))},
      {"vocabulary",
       json_text(description.vocabulary ? Json(description.vocabulary->words()) : Json::array())},
      {"backbone", json_text(backbone_json(description.backbone))},
      {"note", description.note}};
  metadata.insert(more.begin(), more.end());
  write_safetensors(path, tensors, metadata);
}

}  // namespace pdvc
