// What --version prints.
#pragma once

#include <string>

namespace pdvc {

std::string version_text();

}  // namespace pdvc
