#include "data/feature_origin.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mapped_file.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "backbone.json";

fs::path folder_of(const FeatureStream& stream) {
  return fs::is_directory(stream.where) ? stream.where : stream.where.parent_path();
}

}  // namespace

std::optional<Backbone> origin_of(const fs::path& folder) {
  const fs::path file = folder / kName;
  if (!fs::exists(file)) return std::nullopt;
  const MappedFile mapped(file);
  return parse_backbone(parse_json(as_text(mapped.bytes()), file.string()), file.string());
}

void write_origin(const fs::path& folder, const Backbone& backbone) {
  write_file(folder / kName, json_text(backbone_json(backbone)) + "\n");
}

void check_made_by(const fs::path& folder, const Backbone& backbone) {
  const std::optional<Backbone> found = origin_of(folder);
  if (!found) return;
  const Json says = backbone_json(found), wanted = backbone_json(backbone);
  check(says == wanted, folder / kName, ": these are features of ", json_excerpt(says),
        " (expected ", json_excerpt(wanted), ")");
}

void check_made_by(const std::vector<FeatureStream>& streams, const Backbone& backbone) {
  for (const FeatureStream& stream : streams) check_made_by(folder_of(stream), backbone);
}

std::optional<Backbone> backbone_of_features(const Settings& settings) {
  const auto& types = settings.model.feature_types;
  auto usual = published_backbone(types);
  const auto streams = streams_from(settings.files.feature_folders, types);
  if (streams.size() != 1) return usual;
  const fs::path folder = folder_of(streams[0]);
  auto found = origin_of(folder);
  if (!found) return usual;
  check(!usual || usual->name == found->name, folder / kName, ": these are features of ",
        found->name, " (expected ", usual ? usual->name : "", ", as visual_feature_type says)");
  return found;
}

}  // namespace pdvc
