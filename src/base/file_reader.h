// Reads parts of a file into memory the caller owns: for data that is wanted whole and at once,
// mapping costs more.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace pdvc {

class FileReader {
 public:
  // Throws when the file is missing, a folder, empty or not readable.
  explicit FileReader(std::filesystem::path path);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  size_t size() const { return size_; }
  // Fills `out` from `offset` on; throws where the file ends before.
  void read_at(size_t offset, std::span<std::byte> out) const;

 private:
  std::filesystem::path path_;
  int file_ = -1;
  size_t size_ = 0;
};

}  // namespace pdvc
