// Which pdvc this is.
#pragma once

#include <string>

namespace pdvc {

std::string version();  // "0.1.0"
std::string commit();   // "0123456789ab", or "unknown" outside a repository

}  // namespace pdvc
