// Text packed with gzip, line by line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/mapped_file.h"

namespace pdvc {

// Calls `line` with each line without its end. `consumed` bytes of `packed` were read so far.
// Throws Error on damage and on lines longer than any text of this world.
struct GzipLine {
  std::string_view text;
  size_t consumed = 0;
};
void for_each_gzip_line(Bytes packed, const std::string& name,
                        const std::function<void(const GzipLine&)>& line);

}  // namespace pdvc
