// Writes a zip archive of stored members straight into a file, each member's data at a multiple of
// 64 bytes, as torch does, so that whoever maps the file can use it in place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"

namespace pdvc {

class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& target) : target_(target), file_(target) {}

  void add(const std::string& name, Bytes contents);
  // Without it nothing is left behind.
  void commit();

 private:
  struct Member {
    std::string name;
    uint32_t offset, size, crc;
  };
  void write(std::string_view text);

  std::filesystem::path target_;
  AtomicFile file_;
  uint64_t position_ = 0;
  std::vector<Member> members_;
};

}  // namespace pdvc
