// The directory of a zip archive in memory, so that stored members can be used where they lie in a
// mapped file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"

namespace pdvc {

enum class ZipMethod { stored, deflated };

struct ZipEntry {
  std::string name;
  Bytes packed;       // as it lies in the file
  uint64_t size = 0;  // unpacked
  uint32_t crc = 0;
  ZipMethod method = ZipMethod::stored;
};

// A member's bytes: where they lie when stored, unpacked into a buffer of its own when deflated.
struct ZipContents {
  std::vector<std::byte> buffer;
  Bytes bytes;
};

class ZipArchive {
 public:
  // Throws on damage, encryption, overlapping members and sizes that the packed bytes cannot hold.
  ZipArchive(Bytes file, std::string name);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  const ZipEntry* find(std::string_view name) const;  // null when there is none
  // The checksum is verified for deflated members; verify() does it for stored ones.
  ZipContents contents(const ZipEntry& entry) const;
  void verify(const ZipEntry& entry) const;

 private:
  void read_directory(size_t offset, size_t size, uint64_t count);
  size_t read_entry(size_t at, size_t end);
  Bytes packed_bytes(const ZipEntry& entry, uint64_t local_header, uint64_t packed_size) const;
  void check_sizes() const;

  Bytes file_;
  std::string name_;
  std::vector<ZipEntry> entries_;
};

bool looks_like_zip(Bytes file);

}  // namespace pdvc
