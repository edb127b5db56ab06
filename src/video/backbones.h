// The networks and descriptors that turn videos into features: an open set. Each has a file of its
// own and one line in backbones.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "video/encoder.h"
#include "video/encoder_pool.h"
#include "video/weights.h"

namespace pdvc {

struct BackboneOptions {
  std::string output = "features";  // or "scores" of classes
  int threads = 1;
  // Rate, length and stride of clips, where they are not the usual ones.
  std::optional<Backbone> clips;
};

// The usual description of a backbone, with what the options change.
Backbone described(std::string_view name, const BackboneOptions& options);

struct BackboneKind {
  std::string_view name;
  // A tensor of its weights (see open_weights); empty: it has none.
  std::string_view landmark;
  std::string_view classes;  // the file of the names that scores stand for; empty: no scores
  // `weights` is null where there are none.
  std::unique_ptr<ClipEncoder> (*make)(const WeightSource* weights, const BackboneOptions& options);
};

std::span<const BackboneKind> backbone_kinds();
std::vector<std::string> backbone_names();
// Throws for a name that is not known.
const BackboneKind& backbone_kind(std::string_view name);

// `weights`: a file; empty: what `pdvc fetch` has put into the cache.
std::unique_ptr<ClipEncoder> load_backbone(std::string_view name,
                                           const std::filesystem::path& weights,
                                           const BackboneOptions& options);

// Such encoders for several videos at once where they have no weights, else for one at a time.
std::unique_ptr<EncoderPool> pool_of(std::string_view name, const std::filesystem::path& weights,
                                     const BackboneOptions& options);

// One for each file.
BackboneKind r2plus1d_34();
BackboneKind r2plus1d_18();
BackboneKind c3d();
BackboneKind i3d();
BackboneKind efficientnet_lite0();
BackboneKind pixels();

}  // namespace pdvc
