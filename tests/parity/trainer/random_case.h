// Models of every variant with sizes drawn at random, and videos for them.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "data/settings.h"
#include "parity/recording.h"

namespace pdvc {

using Random = std::mt19937_64;

// Of the variants each the name and what it fixes; the sizes are drawn.
struct Variant {
  std::string name;
  ModelSettings settings;
};
std::vector<Variant> all_variants();

// The variant with widths, depths and numbers of everything drawn.
ModelSettings random_sizes(const Variant& variant, Random& random);

// Features, duration and proposals; the rest is for the model to say. Of few rows or many.
RecordedVideo random_video(const ModelSettings& settings, Random& random);

}  // namespace pdvc
