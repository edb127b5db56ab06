// What a file's name says.
#pragma once

#include <filesystem>
#include <string>

namespace pdvc {

// Its extension in lower-case letters, with the dot.
std::string lower_extension(const std::filesystem::path& path);

// Files that begin with a dot are not meant to be seen: what systems and other programs leave.
bool is_hidden(const std::filesystem::path& path);

}  // namespace pdvc
