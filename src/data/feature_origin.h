// What made a folder's features: rows of the same width may come from different networks. Most
// folders say nothing; those of `pdvc extract` do.
#pragma once

#include <filesystem>
#include <optional>

#include "data/features.h"
#include "data/model_file.h"

namespace pdvc {

// Throws when the file in the folder is damaged.
std::optional<Backbone> origin_of(const std::filesystem::path& folder);
void write_origin(const std::filesystem::path& folder, const Backbone& backbone);

// Throws when the folder says that its features were made otherwise.
void check_made_by(const std::filesystem::path& folder, const Backbone& backbone);
// The same of the folders of streams that a model with one backbone reads.
void check_made_by(const std::vector<FeatureStream>& streams, const Backbone& backbone);

// What makes a setting's features: what their folder says, else what visual_feature_type stands
// for. Throws when both say something and name different backbones.
std::optional<Backbone> backbone_of_features(const Settings& settings);

}  // namespace pdvc
