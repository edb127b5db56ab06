// Numbers in fewer bits.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/vector.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector_precision.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes this file once for each instruction set.
#include <hwy/highway.h>

#include "kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pdvc::vector::HWY_NAMESPACE {

float quantize(const float* x, int8_t* out, size_t n) {
  const Floats d;
  Vector most = hn::Zero(d);
  float rest = 0;
  over(
      n, [&](size_t i) { most = hn::Max(most, hn::Abs(hn::LoadU(d, x + i))); },
      [&](size_t i) { rest = std::max(rest, std::abs(x[i])); });
  const float largest_size = std::max(rest, hn::GetLane(hn::MaxOfLanes(d, most)));
  const float scale = largest_size / 127;
  const float inverse = largest_size > 0 ? 127 / largest_size : 0;
  const Vector inverses = hn::Set(d, inverse);
  const hn::Rebind<int8_t, Floats> bytes;
  over(
      n,
      [&](size_t i) {
        const auto whole = hn::NearestInt(hn::Mul(hn::LoadU(d, x + i), inverses));
        hn::StoreU(hn::DemoteTo(bytes, whole), bytes, out + i);
      },
      [&](size_t i) { out[i] = static_cast<int8_t>(std::nearbyint(x[i] * inverse)); });
  return scale;
}

void dequantize(const int32_t* sums, float row_scale, const float* scale, const float* shift,
                bool relu, float* out, size_t n) {
  const Floats d;
  const hn::Rebind<int32_t, Floats> whole;
  const Vector rows = hn::Set(d, row_scale);
  const Vector least = relu ? hn::Zero(d) : hn::Set(d, -INFINITY);
  over(
      n,
      [&](size_t i) {
        const Vector sum = hn::ConvertTo(d, hn::LoadU(whole, sums + i));
        const Vector y =
            hn::MulAdd(hn::Mul(sum, rows), hn::LoadU(d, scale + i), hn::LoadU(d, shift + i));
        hn::StoreU(hn::Max(y, least), d, out + i);
      },
      [&](size_t i) {
        const float y = static_cast<float>(sums[i]) * row_scale * scale[i] + shift[i];
        out[i] = relu && y < 0 ? 0 : y;
      });
}

void to_bfloat16(const float* x, uint16_t* out, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, x + i, sizeof bits);
    out[i] = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

}  // namespace pdvc::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pdvc::vector {

HWY_EXPORT(quantize);
HWY_EXPORT(dequantize);
HWY_EXPORT(to_bfloat16);

float quantize(std::span<const float> x, std::span<int8_t> out) {
  return HWY_DYNAMIC_DISPATCH(quantize)(x.data(), out.data(), x.size());
}

void dequantize(std::span<const int32_t> sums, float row_scale, Affine columns, bool relu,
                std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(dequantize)
  (sums.data(), row_scale, columns.scale.data(), columns.shift.data(), relu, out.data(),
   sums.size());
}

void to_bfloat16(std::span<const float> x, std::span<uint16_t> out) {
  HWY_DYNAMIC_DISPATCH(to_bfloat16)(x.data(), out.data(), x.size());
}

}  // namespace pdvc::vector
#endif  // HWY_ONCE
