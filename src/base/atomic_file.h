// Output that is there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/mapped_file.h"

namespace pdvc {

// Writes beside the target and renames on commit(); without commit() the target stays as it was. A
// target that is a device or a pipe is written directly, a symbolic link keeps pointing where it
// did.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void write(Bytes bytes) { write(as_text(bytes)); }
  void commit();

 private:
  [[noreturn]] void fail_writing(int code);

  std::filesystem::path target_;
  std::filesystem::path partial_;  // empty when the target is written directly
  int file_ = -1;
};

// The same for libraries that write files themselves: they are given a path beside the target.
class PartialFile {
 public:
  // Makes it, empty.
  explicit PartialFile(std::filesystem::path target);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void commit();

 private:
  std::filesystem::path target_, path_;
};

// The whole of a file in one call.
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace pdvc
