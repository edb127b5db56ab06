// Numbers that anyone can make: a hash of a name and an index (golden cases made by a rule).
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

namespace pdvc {

inline uint32_t name_hash(const std::string& name) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(name.data()), static_cast<uInt>(name.size())));
}

// u(name, i) in [0, 1).
inline double formula_number(uint32_t name_hash, uint64_t i) {
  auto h = static_cast<uint32_t>(name_hash + i);
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  h ^= h >> 16;
  return h / 4294967296.0;
}

}  // namespace pdvc
