// What a file holds, as `pdvc info` says it: first as JSON, then as text out of that JSON.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/log.h"
#include "base/progress.h"
#include "output/file_kind.h"

namespace pdvc {

// Keeps its keys in the order they were put in.
using Description = nlohmann::ordered_json;

struct DescriptionContext {
  Log& log;
  ProgressMode progress = ProgressMode::silent;
  int threads = 1;
};

// Every kind but FileKind::other.
Description describe_file(const std::filesystem::path& path, FileKind kind,
                          DescriptionContext context);

// For people: "key  value" lines, tables for lists of objects.
std::string description_text(const Description& description);

}  // namespace pdvc
