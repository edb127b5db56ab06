// Loops over vectors, for files that are compiled once for each instruction set.
#if defined(PDVC_KERNELS_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PDVC_KERNELS_VECTOR_INL_H
#undef PDVC_KERNELS_VECTOR_INL_H
#else
#define PDVC_KERNELS_VECTOR_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pdvc::vector::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

// Calls whole(i) for each full vector of [0, n) and rest(i) for each remaining index.
template <class Whole, class Rest>
HWY_INLINE void over(size_t n, Whole&& whole, Rest&& rest) {
  const size_t lanes = hn::Lanes(Floats());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) whole(i);
  for (; i < n; ++i) rest(i);
}

HWY_INLINE float total(Vector v) { return hn::GetLane(hn::SumOfLanes(Floats(), v)); }

}  // namespace pdvc::vector::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PDVC_KERNELS_VECTOR_INL_H
