#include "tensor/zip_writer.h"

#include <zlib.h>

#include <cstring>

#include "base/error.h"

namespace pdvc {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kLocalHeaderSize = 30;
constexpr uint16_t kPaddingField = 0x4246;   // "FB": torch's own name for it
constexpr uint32_t kFixedDate = 0x00210000;  // 1 January 1980: the same contents give the same file
constexpr uint64_t kLargest = 0xfffffffe;    // zip64 is not written

// Little-endian numbers, one after another.
class Record {
 public:
  Record& u16(uint64_t value) { return append(value, 2); }
  Record& u32(uint64_t value) { return append(value, 4); }
  const std::string& text() const { return text_; }

 private:
  Record& append(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) text_ += static_cast<char>(value >> 8 * i & 0xff);
    return *this;
  }
  std::string text_;
};

// Version needed, flags, method 0 (stored), date.
Record& begin_member(Record& record) { return record.u16(20).u16(0).u16(0).u32(kFixedDate); }

}  // namespace

void ZipWriter::add(const std::string& name, Bytes contents) {
  check(position_ + contents.size() < kLargest && members_.size() < 65535, target_,
        ": a zip archive of more than 4 GB or 65535 members is not supported");
  const auto crc = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char*>(contents.data()), contents.size()));
  members_.push_back(
      {name, static_cast<uint32_t>(position_), static_cast<uint32_t>(contents.size()), crc});
  const size_t unpadded = position_ + kLocalHeaderSize + name.size() + 4;
  const size_t padding = (kAlignment - unpadded % kAlignment) % kAlignment;
  Record header;
  begin_member(header.u32(0x04034b50)).u32(crc).u32(contents.size()).u32(contents.size());
  header.u16(name.size()).u16(4 + padding);
  write(header.text() + name + Record().u16(kPaddingField).u16(padding).text() +
        std::string(padding, '\0'));
  write(as_text(contents));
}

void ZipWriter::commit() {
  const uint64_t start = position_;
  check(start <= kLargest, target_, ": a zip archive of more than 4 GB is not supported");
  for (const Member& member : members_) {
    Record entry;
    begin_member(entry.u32(0x02014b50).u16(20)).u32(member.crc).u32(member.size).u32(member.size);
    entry.u16(member.name.size()).u16(0).u16(0).u16(0).u16(0).u32(0).u32(member.offset);
    write(entry.text() + member.name);
  }
  const uint64_t size = position_ - start;
  Record end;
  end.u32(0x06054b50).u16(0).u16(0).u16(members_.size()).u16(members_.size());
  write(end.u32(size).u32(start).u16(0).text());
  file_.commit();
}

void ZipWriter::write(std::string_view text) {
  file_.write(text);
  position_ += text.size();
}

}  // namespace pdvc
