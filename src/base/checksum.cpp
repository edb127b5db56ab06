#include "base/checksum.h"

#include <array>
#include <cstring>

namespace pdvc {
namespace {

constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio

uint64_t mixed(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * kOdd;
  return sum ^ sum >> 29;
}

uint64_t word_at(const std::byte* at, size_t size = 8) {
  uint64_t word = 0;
  std::memcpy(&word, at, size);
  return word;
}

}  // namespace

uint64_t checksum_of(Bytes bytes) {
  // Independent lanes, so that multiplications overlap.
  constexpr size_t kLanes = 8;
  std::array<uint64_t, kLanes> lanes{};
  const std::byte* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8 * kLanes; at += 8 * kLanes, left -= 8 * kLanes)
    for (size_t i = 0; i < kLanes; ++i) lanes[i] = mixed(lanes[i], word_at(at + 8 * i));
  uint64_t sum = bytes.size();
  for (const uint64_t lane : lanes) sum = mixed(sum, lane);
  for (; left >= 8; at += 8, left -= 8) sum = mixed(sum, word_at(at));
  return left > 0 ? mixed(sum, word_at(at, left)) : sum;
}

}  // namespace pdvc
