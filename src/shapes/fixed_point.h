// Angles and sines in whole numbers: floating-point libraries round differently from machine to
// machine.
#pragma once

#include <array>
#include <cstdint>

namespace pdvc {

constexpr int32_t kTurn = 1 << 16;  // a whole turn
constexpr int32_t kOne = 1 << 14;   // what a sine of 1 is

namespace detail {

constexpr int kQuarterSteps = 256;

// The Taylor series in 30 fractional bits, good to a few units of the last.
constexpr int32_t quarter_sine(int step) {
  constexpr int64_t kHalfPi = 1686629713;  // pi / 2 * 2^30
  const int64_t x = kHalfPi * step / kQuarterSteps;
  int64_t term = x, sum = x;
  for (int n = 3; n <= 13; n += 2) {
    term = -(term * x >> 30) * x / (int64_t{n} * (n - 1)) / (int64_t{1} << 30);
    sum += term;
  }
  return static_cast<int32_t>((sum + (1 << 15)) >> 16);
}

constexpr auto kQuarterSine = [] {
  std::array<int32_t, kQuarterSteps + 1> table{};
  for (int i = 0; i <= kQuarterSteps; ++i) table[static_cast<size_t>(i)] = quarter_sine(i);
  return table;
}();

}  // namespace detail

// sin(2 pi angle / kTurn) * kOne; between the table's steps by a straight line.
constexpr int32_t sine(int32_t angle) {
  constexpr int32_t kQuarter = kTurn / 4, kStep = kQuarter / detail::kQuarterSteps;
  const int32_t in_turn = angle & (kTurn - 1), in_half = in_turn & (kTurn / 2 - 1);
  const int32_t mirrored = in_half <= kQuarter ? in_half : kTurn / 2 - in_half;
  const auto step = static_cast<size_t>(mirrored / kStep);
  const int32_t low = detail::kQuarterSine[step];
  const int32_t high = step < detail::kQuarterSteps ? detail::kQuarterSine[step + 1] : low;
  const int32_t value = low + (high - low) * (mirrored % kStep) / kStep;
  return in_turn < kTurn / 2 ? value : -value;
}

constexpr int32_t cosine(int32_t angle) { return sine(angle + kTurn / 4); }

// The whole part of a square root, for lengths.
constexpr int64_t whole_root(int64_t square) {
  int64_t root = 0;
  for (int64_t bit = int64_t{1} << 30; bit > 0; bit >>= 1)
    if ((root + bit) * (root + bit) <= square) root += bit;
  return root;
}

}  // namespace pdvc
