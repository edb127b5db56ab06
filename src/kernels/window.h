// Shapes of what convolutions and pools see and give.
#pragma once

#include <cstdint>

namespace pdvc {

struct Extent {
  int64_t time = 1, rows = 1, columns = 1;

  int64_t product() const { return time * rows * columns; }
};

// Numbers [channels, time, rows, columns].
struct VolumeShape {
  int64_t channels = 0;
  Extent extent;

  int64_t elements() const { return channels * extent.product(); }
};

// What a convolution or a pool looks at for each of its outputs.
struct Window {
  Extent kernel;
  Extent stride;
  Extent before = {0, 0, 0}, after = {0, 0, 0};  // zeros put around the input

  Extent output(const Extent& input) const;
};
// With as many zeros before and after.
Window centred(const Extent& kernel, const Extent& stride, const Extent& padding);
// TensorFlow's SAME: as many outputs as steps fit, the odd zero behind.
Window same_padded(const Extent& input, const Extent& kernel, const Extent& stride);

}  // namespace pdvc
