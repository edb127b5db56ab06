// Which synonym sets a word belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "evaluation/meteor_data.h"

namespace pdvc {

// Sorted: the word's own sets and those of its base form ("wolves": those of "wolf").
// `id` is the word's number in `data`, if it has one.
std::vector<uint32_t> meteor_synonym_sets(std::string_view word, std::optional<uint32_t> id,
                                          const MeteorData& data);

}  // namespace pdvc
