#include "base/file_name.h"

#include <algorithm>
#include <cctype>

namespace pdvc {

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

bool is_hidden(const std::filesystem::path& path) {
  return path.filename().native().starts_with('.');
}

}  // namespace pdvc
