// Files that come with the program: the names of classes, the default model.
#pragma once

#include <filesystem>
#include <string>

namespace pdvc {

// In $PDVC_DATA, else in share/pdvc beside the program's folder, else in the source tree. Throws
// when it is in none of them.
std::filesystem::path data_file(const std::string& name);

}  // namespace pdvc
