// JSON from strangers: parsed with limits, reported with line and column.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pdvc {

using Json = nlohmann::json;

// No file of this world nests deeper than a handful of levels.
constexpr int kDeepestJson = 32;

// `name` is the file's name for messages. Throws Error on anything that is not JSON or nests too
// deeply.
Json parse_json(std::string_view text, const std::string& name);

// Calls `entry` with each key and value of one object, in file order, repeated keys each time: the
// top-level object, or the one under `under` when that is not empty. The other top-level entries
// are collected and returned. Holds one entry at a time, so that large files cost little.
using JsonEntry = std::function<void(const std::string& key, Json&& value)>;
Json for_each_json_entry(std::string_view text, const std::string& name, const std::string& under,
                         const JsonEntry& entry);

// A value as it would stand in a message: short, on one line.
std::string json_excerpt(const Json& value);

// Text that may hold bytes that are not UTF-8 is written with replacement characters, never
// refused.
std::string json_text(const Json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value);

}  // namespace pdvc
