// Golden rows: JSON files, plain or packed with gzip.
#pragma once

#include <zlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json.h"
#include "support/files.h"

namespace pdvc {

inline Json read_golden(const std::filesystem::path& path) {
  std::string text, block(1 << 20, '\0');
  gzFile file = gzopen(path.c_str(), "rb");
  int count = 0;
  while (file && (count = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0)
    text.append(block, 0, static_cast<size_t>(count));
  const bool complete = file && count == 0;
  if (file) gzclose(file);
  check(complete, path, ": cannot be read");
  return parse_json(text, path.string());
}

}  // namespace pdvc
