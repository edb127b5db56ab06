#include "kernels/window.h"

#include <algorithm>

namespace pdvc {
namespace {

int64_t steps(int64_t input, int64_t kernel, int64_t stride, int64_t padding) {
  return (input + padding - kernel) / stride + 1;
}

}  // namespace

Extent Window::output(const Extent& in) const {
  return {steps(in.time, kernel.time, stride.time, before.time + after.time),
          steps(in.rows, kernel.rows, stride.rows, before.rows + after.rows),
          steps(in.columns, kernel.columns, stride.columns, before.columns + after.columns)};
}

Window centred(const Extent& kernel, const Extent& stride, const Extent& padding) {
  return {kernel, stride, padding, padding};
}

Window same_padded(const Extent& input, const Extent& kernel, const Extent& stride) {
  const auto total = [](int64_t in, int64_t k, int64_t s) {
    const int64_t out = (in + s - 1) / s;
    return std::max<int64_t>((out - 1) * s + k - in, 0);
  };
  const Extent all{total(input.time, kernel.time, stride.time),
                   total(input.rows, kernel.rows, stride.rows),
                   total(input.columns, kernel.columns, stride.columns)};
  const Extent before{all.time / 2, all.rows / 2, all.columns / 2};
  return {kernel,
          stride,
          before,
          {all.time - before.time, all.rows - before.rows, all.columns - before.columns}};
}

}  // namespace pdvc
