// Little-endian numbers out of bytes of any alignment.
#pragma once

#include <bit>
#include <concepts>
#include <cstring>

#include "base/mapped_file.h"

namespace pdvc {

static_assert(std::endian::native == std::endian::little, "x86-64 only");

// The caller has checked that offset + sizeof(T) is within the bytes.
template <std::integral T>
T little_endian(Bytes bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace pdvc
