// A file's bytes, mapped rather than copied.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace pdvc {

using Bytes = std::span<const std::byte>;

std::string_view as_text(Bytes bytes);
Bytes as_bytes(std::string_view text);

// Throws unless `path` is there and is a file (or something that can be read like one).
void check_is_file(const std::filesystem::path& path);

// Gives the memory of a mapping's pages back; they are read again when they are looked at.
void give_back_pages(Bytes mapped);

// A read-only mapping of a whole regular file; movable, unmapped at the end.
class MappedFile {
 public:
  // Throws when the file is missing, a folder, empty or not readable.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  Bytes bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace pdvc
