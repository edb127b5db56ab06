#include "video/frame_clock.h"

#include <algorithm>
#include <cmath>

namespace pdvc {
namespace {

// A picture may stand for long, but not so long: the time stamp is damaged.
constexpr double kLongestGap = 3600;

}  // namespace

FrameClock::Place FrameClock::place(std::optional<double> stamp) {
  if (stamp && !std::isfinite(*stamp)) stamp.reset();
  if (first_) {
    first_ = false;
    if (stamp) offset_ = -*stamp;
    return last_;
  }
  const double usual = 1 / rate_;
  double gap = usual;
  if (stamp) {
    if (!offset_) offset_ = last_.time + usual - *stamp;
    gap = *stamp + *offset_ - last_.time;
    const bool odd = !(gap > 0 && gap <= kLongestGap);
    // One odd stamp is an accident; two in a row mean that the stamps count from elsewhere now.
    if (odd && last_was_odd_) offset_ = last_.time + usual - *stamp;
    if (odd) gap = usual;
    last_was_odd_ = odd;
  }
  last_.time += gap;
  last_.number += std::max<int64_t>(1, std::llround(gap * rate_));
  return last_;
}

}  // namespace pdvc
