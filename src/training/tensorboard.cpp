#include "training/tensorboard.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>

#include "base/error.h"

namespace pdvc {
namespace {

constexpr std::array<uint32_t, 256> kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0x82f63b78u : 0);
    table[i] = value;
  }
  return table;
}();

// TensorFlow rotates and shifts its checksums, so that a checksum of data with checksums is fine.
uint32_t masked(uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8u; }

template <class T>
std::string little_endian_bytes(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};  // x86-64 is little-endian
}

// The few pieces of protocol buffers that an event needs.
std::string variable_length(uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  return bytes + static_cast<char>(value);
}

enum class Wire : uint64_t { number = 0, eight_bytes = 1, bytes = 2, four_bytes = 5 };
std::string key(uint64_t field, Wire wire) {
  return variable_length(field << 3 | static_cast<uint64_t>(wire));
}
std::string message(uint64_t field, const std::string& contents) {
  return key(field, Wire::bytes) + variable_length(contents.size()) + contents;
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string event(int64_t step, const std::string& what) {
  return key(1, Wire::eight_bytes) + little_endian_bytes(wall_time()) + key(2, Wire::number) +
         variable_length(static_cast<uint64_t>(step)) + what;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t value = ~0u;
  for (const char c : bytes) value = value >> 8 ^ kTable[(value ^ static_cast<uint8_t>(c)) & 255];
  return ~value;
}

TensorBoardFile::TensorBoardFile(const std::filesystem::path& folder) {
  const auto path =
      folder / join_text("events.out.tfevents.", static_cast<int64_t>(wall_time()), ".", getpid());
  file_.open(path, std::ios::binary);
  check(file_.good(), path, ": cannot be written");
  write_record(event(0, message(3, "brain.Event:2")));
}

void TensorBoardFile::write(int64_t step, const Scalars& values) {
  std::string summary;
  for (const auto& [name, value] : values)
    summary += message(1, message(1, name) + key(2, Wire::four_bytes) +
                              little_endian_bytes(static_cast<float>(value)));
  write_record(event(step, message(5, summary)));
}

void TensorBoardFile::write_record(std::string_view record) {
  const std::string length = little_endian_bytes(static_cast<uint64_t>(record.size()));
  file_ << length << little_endian_bytes(masked(crc32c(length))) << record
        << little_endian_bytes(masked(crc32c(record)));
}

}  // namespace pdvc
