#include "base/cache.h"

#include <cstdlib>

#include "base/error.h"

namespace pdvc {
namespace {

// An empty variable counts as not set.
std::filesystem::path path_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

}  // namespace

std::filesystem::path cache_folder() {
  auto own = path_in("PDVC_CACHE");
  if (!own.empty()) return own;
  if (const auto shared = path_in("XDG_CACHE_HOME"); !shared.empty()) return shared / "pdvc";
  const auto home = path_in("HOME");
  check(!home.empty(), "no cache folder (expected PDVC_CACHE, XDG_CACHE_HOME or HOME to be set)");
  return home / ".cache" / "pdvc";
}

}  // namespace pdvc
