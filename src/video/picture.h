// Pictures as decoders give them and networks take them.
#pragma once

#include <cstdint>
#include <vector>

namespace pdvc {

struct FrameSize {
  int64_t width = 0, height = 0;

  bool operator==(const FrameSize&) const = default;
};

// Rows of red, green, blue, eight bits each, upright. A row may be followed by unused bytes.
struct Picture {
  FrameSize size;
  int64_t stride = 0;  // bytes from row to row
  std::vector<uint8_t> bytes;

  const uint8_t* row(int64_t y) const { return bytes.data() + y * stride; }
  uint8_t* row(int64_t y) { return bytes.data() + y * stride; }
};

}  // namespace pdvc
