// The videos of one split: annotations, without those that are to be left out or have no features.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "data/features.h"
#include "data/settings.h"
#include "event/event.h"

namespace pdvc {

// The features that a setting's folders hold, for all splits.
std::shared_ptr<const FeatureSource> feature_source(const Settings& settings);

// Videos of an annotation file, in file order. Warns about those without features; throws when none
// is left.
std::vector<VideoEvents> read_corpus(const std::string& annotations, const Settings& settings,
                                     const FeatureSource& features, Log& log);

// All sentences, for a vocabulary.
std::vector<std::string> sentences_of(const std::vector<VideoEvents>& videos);

}  // namespace pdvc
