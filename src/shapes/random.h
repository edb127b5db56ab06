// Random numbers that are the same on every machine and with every compiler.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pdvc {

// SplitMix64. The distributions of the standard library differ between its makers, so there are
// none here.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next();
  // 0 .. count - 1, for counts below 2^31.
  int32_t below(int32_t count) {
    return static_cast<int32_t>((next() >> 32) * static_cast<uint64_t>(count) >> 32);
  }
  // Both ends included.
  int32_t between(int32_t least, int32_t most) { return least + below(most - least + 1); }
  bool chance(int32_t percent) { return below(100) < percent; }
  template <class T>
  const T& pick(std::span<const T> choices) {
    return choices[static_cast<size_t>(below(static_cast<int32_t>(choices.size())))];
  }
  template <class T, size_t count>
  const T& pick(const std::array<T, count>& choices) {
    return pick(std::span<const T>(choices));
  }
  // A generator of its own for one purpose: what it gives does not depend on how much others have
  // used.
  Random branch(uint64_t purpose) const;

 private:
  uint64_t state_;
};

}  // namespace pdvc
