#include "base/module.h"

#include <dlfcn.h>

#include <filesystem>

#include "base/error.h"

namespace pdvc {
namespace {

// The folder of the program or library that this code is part of.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&load_symbol), &info) == 0) return {};
  return std::filesystem::canonical(info.dli_fname).parent_path();
}

// Beside it or one folder up, as it is built, or where it is installed; else wherever the system
// looks. Not by the run path alone: sanitizers call dlopen from a library that has none.
void* open_library(const char* name) {
  const std::filesystem::path here = own_folder();
  for (const char* folder : {".", "..", "pdvc", PDVC_INSTALLED_LIBRARIES})
    if (const auto file = here / folder / name; std::filesystem::exists(file))
      return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

void* load_symbol(const char* file, const char* symbol) {
  void* library = open_library(file);
  check(library != nullptr, "a part of the program cannot be loaded: ", dlerror());
  void* address = dlsym(library, symbol);
  check(address != nullptr, file, ": has no ", symbol);
  return address;
}

}  // namespace pdvc
