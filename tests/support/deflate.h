// Bytes packed by zlib: as gzip files hold them, or bare as in zip archives.
#pragma once

#include <zlib.h>

#include <string>

namespace pdvc {

inline std::string packed_by_zlib(const std::string& text, int level, int window_bits) {
  constexpr int kMemory = 8;
  std::string packed(text.size() + 1000, '\0');
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, window_bits, kMemory, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string gzipped(const std::string& text) {
  return packed_by_zlib(text, 6, MAX_WBITS + 16);
}

inline std::string deflated(const std::string& text) { return packed_by_zlib(text, 9, -MAX_WBITS); }

}  // namespace pdvc
