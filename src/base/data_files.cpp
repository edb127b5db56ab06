#include "base/data_files.h"

#include <cstdlib>
#include <vector>

#include "base/error.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> data_folders() {
  if (const char* own = std::getenv("PDVC_DATA"); own && *own) return {own};
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return {program.parent_path().parent_path() / "share" / "pdvc", PDVC_SOURCE_DATA};
}

}  // namespace

fs::path data_file(const std::string& name) {
  std::string looked;
  for (const fs::path& folder : data_folders()) {
    if (fs::exists(folder / name)) return folder / name;
    looked += (looked.empty() ? "" : " or ") + folder.string();
  }
  fail(name, ": is not there (expected in ", looked, "; PDVC_DATA names another folder)");
}

}  // namespace pdvc
