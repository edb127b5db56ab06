#include "tensor/zip.h"

#include <zlib.h>

#include <algorithm>

#include "base/byte_order.h"
#include "base/error.h"
#include "base/printable.h"

namespace pdvc {
namespace {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryEntry = 0x02014b50;
constexpr uint32_t kDirectoryEnd = 0x06054b50;
constexpr uint32_t kDirectoryEnd64 = 0x06064b50;
constexpr uint32_t kDirectoryLocator64 = 0x07064b50;
constexpr size_t kDirectoryEndSize = 22;
constexpr size_t kDirectoryEnd64Size = 56;
constexpr size_t kLocatorSize = 20;
constexpr size_t kEntrySize = 46;
constexpr size_t kLocalHeaderSize = 30;
constexpr size_t kLongestComment = 65535;

// Deflate cannot do better than 1032 to 1. Real features stay under 20 to 1, but small arrays of
// zeros are legal.
constexpr uint64_t kDeflateLimit = 1032;
constexpr uint64_t kPlausibleRatio = 200;
constexpr uint64_t kLargeMember = uint64_t{64} << 20;

struct Directory {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t count = 0;
};

bool has_signature(Bytes file, uint64_t offset, size_t size, uint32_t signature) {
  return offset <= file.size() && file.size() - offset >= size &&
         little_endian<uint32_t>(file, offset) == signature;
}

// The end record is the last thing in the file, but for a comment.
size_t find_directory_end(Bytes file, const std::string& name) {
  const size_t last = file.size() < kDirectoryEndSize ? 0 : file.size() - kDirectoryEndSize;
  const size_t first = last > kLongestComment ? last - kLongestComment : 0;
  for (size_t at = last + 1; at-- > first;)
    if (has_signature(file, at, kDirectoryEndSize, kDirectoryEnd)) return at;
  fail(name, ": is cut short (a zip archive without its directory)");
}

Directory find_directory(Bytes file, const std::string& name) {
  const size_t end = find_directory_end(file, name);
  const Directory small{.offset = little_endian<uint32_t>(file, end + 16),
                        .size = little_endian<uint32_t>(file, end + 12),
                        .count = little_endian<uint16_t>(file, end + 10)};
  if (end < kLocatorSize ||
      !has_signature(file, end - kLocatorSize, kLocatorSize, kDirectoryLocator64))
    return small;
  const auto end64 = little_endian<uint64_t>(file, end - kLocatorSize + 8);
  check(has_signature(file, end64, kDirectoryEnd64Size, kDirectoryEnd64), name,
        ": damaged zip directory");
  return {.offset = little_endian<uint64_t>(file, end64 + 48),
          .size = little_endian<uint64_t>(file, end64 + 40),
          .count = little_endian<uint64_t>(file, end64 + 32)};
}

// Sizes that do not fit 32 bits stand in an extra field, in a fixed order, each only when its short
// form is all ones.
void apply_zip64(Bytes extra, std::array<uint64_t*, 3> values) {
  for (size_t at = 0; at + 4 <= extra.size();) {
    const auto kind = little_endian<uint16_t>(extra, at);
    const size_t size = little_endian<uint16_t>(extra, at + 2);
    if (kind == 1) {
      size_t from = at + 4;
      const size_t end = std::min(from + size, extra.size());
      for (uint64_t* value : values)
        if (*value == 0xffffffff && from + 8 <= end) {
          *value = little_endian<uint64_t>(extra, from);
          from += 8;
        }
    }
    at += 4 + size;
  }
}

uint32_t checksum(Bytes bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace

bool looks_like_zip(Bytes file) {
  return has_signature(file, 0, 4, kLocalHeader) || has_signature(file, 0, 4, kDirectoryEnd);
}

ZipArchive::ZipArchive(Bytes file, std::string name) : file_(file), name_(std::move(name)) {
  const Directory directory = find_directory(file_, name_);
  check(directory.offset <= file_.size() && directory.size <= file_.size() - directory.offset &&
            directory.count <= directory.size / kEntrySize,
        name_, ": damaged zip directory");
  read_directory(directory.offset, directory.size, directory.count);
  check_sizes();
}

void ZipArchive::read_directory(size_t offset, size_t size, uint64_t count) {
  entries_.reserve(count);
  const size_t end = offset + size;
  for (uint64_t i = 0; i < count; ++i) offset = read_entry(offset, end);
}

size_t ZipArchive::read_entry(size_t at, size_t end) {
  check(end - at >= kEntrySize && little_endian<uint32_t>(file_, at) == kDirectoryEntry, name_,
        ": damaged zip directory");
  const auto flags = little_endian<uint16_t>(file_, at + 8);
  const auto method = little_endian<uint16_t>(file_, at + 10);
  uint64_t packed_size = little_endian<uint32_t>(file_, at + 20);
  uint64_t size = little_endian<uint32_t>(file_, at + 24);
  uint64_t local_header = little_endian<uint32_t>(file_, at + 42);
  const size_t name_size = little_endian<uint16_t>(file_, at + 28);
  const size_t extra_size = little_endian<uint16_t>(file_, at + 30);
  const size_t comment_size = little_endian<uint16_t>(file_, at + 32);
  const size_t next = at + kEntrySize + name_size + extra_size + comment_size;
  check(next <= end, name_, ": damaged zip directory");
  apply_zip64(file_.subspan(at + kEntrySize + name_size, extra_size),
              {&size, &packed_size, &local_header});

  ZipEntry entry;
  entry.name = as_text(file_.subspan(at + kEntrySize, name_size));
  entry.size = size;
  entry.crc = little_endian<uint32_t>(file_, at + 16);
  check((flags & 1) == 0, name_, ": member ", printable(entry.name), " is encrypted");
  check(method == 0 || method == 8, name_, ": member ", printable(entry.name),
        " uses compression method ", method, " (expected stored or deflated)");
  entry.method = method == 0 ? ZipMethod::stored : ZipMethod::deflated;
  entry.packed = packed_bytes(entry, local_header, packed_size);
  entries_.push_back(std::move(entry));
  return next;
}

Bytes ZipArchive::packed_bytes(const ZipEntry& entry, uint64_t local_header,
                               uint64_t packed_size) const {
  check(has_signature(file_, local_header, kLocalHeaderSize, kLocalHeader), name_, ": member ",
        printable(entry.name), " is not where the zip directory says");
  const size_t start = local_header + kLocalHeaderSize +
                       little_endian<uint16_t>(file_, local_header + 26) +
                       little_endian<uint16_t>(file_, local_header + 28);
  check(start <= file_.size() && packed_size <= file_.size() - start, name_, ": member ",
        printable(entry.name), " reaches beyond the end of the file");
  return file_.subspan(start, packed_size);
}

// A small archive must not stand for a large amount of memory: not by ratio, not by many members
// just below a limit, not by pointing at the same bytes twice.
void ZipArchive::check_sizes() const {
  uint64_t packed = 0, unpacked = 0;
  for (const ZipEntry& entry : entries_) {
    const uint64_t limit = entry.size > kLargeMember ? kPlausibleRatio : kDeflateLimit;
    const bool fits = entry.method == ZipMethod::stored ? entry.size == entry.packed.size()
                                                        : entry.size / limit <= entry.packed.size();
    check(fits, name_, ": member ", printable(entry.name), " claims ", entry.size, " bytes from ",
          entry.packed.size(), " packed ones");
    packed += entry.packed.size();
    unpacked += entry.size;
  }
  check(packed <= file_.size(), name_, ": members of the zip archive overlap");
  check(unpacked <= kPlausibleRatio * file_.size() + kLargeMember, name_, ": members claim ",
        unpacked, " bytes together from a file of ", file_.size());
}

const ZipEntry* ZipArchive::find(std::string_view name) const {
  const auto at = std::ranges::find(entries_, name, &ZipEntry::name);
  return at == entries_.end() ? nullptr : &*at;
}

ZipContents ZipArchive::contents(const ZipEntry& entry) const {
  if (entry.method == ZipMethod::stored) return {.buffer = {}, .bytes = entry.packed};
  ZipContents result;
  result.buffer.resize(entry.size);
  z_stream stream{};
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(entry.packed.data()));
  unsigned char nothing = 0;  // zlib wants a place to write even for a member without contents
  stream.next_out =
      entry.size > 0 ? reinterpret_cast<unsigned char*>(result.buffer.data()) : &nothing;
  check(inflateInit2(&stream, -MAX_WBITS) == Z_OK, name_, ": zlib cannot start");
  size_t in_left = entry.packed.size(), out_left = result.buffer.size();
  int state = Z_OK;
  while (state == Z_OK) {  // zlib counts in 32 bits
    const auto in = static_cast<uInt>(std::min<size_t>(in_left, 1u << 30));
    const auto out = static_cast<uInt>(std::min<size_t>(out_left, 1u << 30));
    stream.avail_in = in;
    stream.avail_out = out;
    state = inflate(&stream, Z_NO_FLUSH);
    in_left -= in - stream.avail_in;
    out_left -= out - stream.avail_out;
  }
  inflateEnd(&stream);
  result.bytes = result.buffer;
  check(state == Z_STREAM_END && out_left == 0 && checksum(result.bytes) == entry.crc, name_,
        ": member ", printable(entry.name), " is damaged");
  return result;
}

void ZipArchive::verify(const ZipEntry& entry) const {
  if (entry.method == ZipMethod::stored)
    check(checksum(entry.packed) == entry.crc, name_, ": member ", printable(entry.name),
          " is damaged");
}

}  // namespace pdvc
