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
  const double usual = last_.time + 1 / rate_;
  move_to(stamp ? time_of(*stamp, usual) : usual);
  return last_;
}

double FrameClock::time_of(double stamp, double usual) {
  if (!offset_) offset_ = usual - stamp;
  const double time = stamp + *offset_;
  const bool odd = time < last_sure_ || time - last_.time > kLongestGap;
  // One odd stamp is an accident; two in a row mean that the stamps count from elsewhere now.
  if (odd && last_was_odd_) offset_ = usual - stamp;
  if (!odd || last_was_odd_) last_sure_ = odd ? usual : time;
  last_was_odd_ = odd;
  return odd ? usual : time;
}

void FrameClock::move_to(double time) {
  const double gap = std::max(0.0, time - last_.time);
  last_.time += gap;
  last_.number += std::max<int64_t>(1, std::llround(gap * rate_));
}

}  // namespace pdvc
