#include "video/backbones.h"

#include <algorithm>
#include <array>

#include "base/cache.h"
#include "base/error.h"
#include "base/printable.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

// Where `pdvc fetch` puts weights, whatever their format.
fs::path cached_weights(std::string_view name) {
  const fs::path folder = cache_folder() / "weights";
  for (const char* extension : {".safetensors", ".pth", ".ckpt", ".pt"})
    if (fs::path path = folder / (std::string(name) + extension); fs::exists(path)) return path;
  fail(name, ": its weights are not there (give --weights FILE, or put them into ", folder,
       "; pdvc fetch does that for i3d and efficientnet_lite0)");
}

}  // namespace

std::span<const BackboneKind> backbone_kinds() {
  static const std::array kinds = {r2plus1d_34(), r2plus1d_18(),        c3d(),
                                   i3d(),         efficientnet_lite0(), pixels()};
  return kinds;
}

std::vector<std::string> backbone_names() {
  std::vector<std::string> names;
  for (const BackboneKind& kind : backbone_kinds()) names.emplace_back(kind.name);
  return names;
}

const BackboneKind& backbone_kind(std::string_view name) {
  const auto kinds = backbone_kinds();
  const auto found = std::ranges::find(kinds, name, &BackboneKind::name);
  std::string known;
  for (const BackboneKind& kind : kinds)
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  check(found != kinds.end(), printable(name), ": is no backbone (expected one of ", known, ")");
  return *found;
}

Backbone described(std::string_view name, const BackboneOptions& options) {
  Backbone backbone = *known_backbone(name);
  backbone.output = options.output;
  if (options.clips) {
    backbone.frames_per_second = options.clips->frames_per_second;
    backbone.frames = options.clips->frames;
    backbone.stride = options.clips->stride;
  }
  return backbone;
}

std::unique_ptr<ClipEncoder> load_backbone(std::string_view name, const fs::path& weights,
                                           const BackboneOptions& options) {
  const BackboneKind& kind = backbone_kind(name);
  check(options.output != "scores" || !kind.classes.empty(), name,
        ": gives no scores (expected --output features)");
  if (kind.landmark.empty()) {
    check(weights.empty(), name, ": takes no weights");
    return kind.make(nullptr, options);
  }
  const auto source =
      open_weights(weights.empty() ? cached_weights(name) : weights, std::string(kind.landmark));
  return kind.make(source.get(), options);
}

std::unique_ptr<EncoderPool> pool_of(std::string_view name, const fs::path& weights,
                                     const BackboneOptions& options) {
  const auto make = [name = std::string(name), weights, options] {
    return load_backbone(name, weights, options);
  };
  return std::make_unique<EncoderPool>(make,
                                       backbone_kind(name).landmark.empty() ? options.threads : 1);
}

}  // namespace pdvc
