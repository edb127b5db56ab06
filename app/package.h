// Packages of a registry that hold data this program uses. They are downloaded, never installed.
#pragma once

#include <filesystem>
#include <string>

#include "command.h"

namespace pdvc {

struct Package {
  std::string name;     // what the command line calls it
  std::string about;    // one line
  std::string release;  // "pycocoevalcap==1.2"
  std::string sha256;   // of its only file
  // Of a source package pip looks at the metadata, which runs its build script; the hash says that
  // it is the one we know.
  bool is_source = false;
  std::string result;  // where in the cache what is made of it lies
  // Whether what lies there is whole.
  bool (*is_ready)(const std::filesystem::path& result);
  void (*make)(const std::filesystem::path& downloaded, const std::filesystem::path& result,
               Session& session);
};

// Brings it into the cache unless it is there.
void fetch_package(const Package& package, Session& session);

}  // namespace pdvc
