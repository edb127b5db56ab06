// What all fuzz targets share: bytes in, and only an Error may come out.
#pragma once

#include <cstdint>
#include <ostream>
#include <streambuf>

#include "base/error.h"
#include "base/log.h"
#include "base/mapped_file.h"

namespace pdvc {

// Swallows messages.
class NullLog : private std::streambuf, private std::ostream, public Log {
 public:
  NullLog()
      : std::ostream(static_cast<std::streambuf*>(this)), Log(*this, "fuzz", Verbosity::quiet) {}
};

template <class Read>
int fuzz_one(const uint8_t* data, size_t size, Read&& read) {
  try {
    read(Bytes(reinterpret_cast<const std::byte*>(data), size));
  } catch (const Error&) {
    // Refusing is what a reader should do with bad input.
  }
  return 0;
}

}  // namespace pdvc
