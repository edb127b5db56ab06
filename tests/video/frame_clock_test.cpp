#include "video/frame_clock.h"

#include <gtest/gtest.h>

#include <limits>

namespace pdvc {
namespace {

std::vector<double> times_of(Rate rate, const std::vector<std::optional<double>>& stamps) {
  FrameClock clock(rate);
  std::vector<double> times;
  for (const auto& stamp : stamps) times.push_back(clock.place(stamp).time);
  return times;
}

void expect_near(const std::vector<double>& times, const std::vector<double>& expected) {
  ASSERT_EQ(times.size(), expected.size());
  for (size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-9) << i;
}

}  // namespace

TEST(FrameClock, CountsFromTheFirstFrame) {
  expect_near(times_of({10, 1}, {-0.5, -0.4, -0.1, 0.7}), {0, 0.1, 0.4, 1.2});
}

TEST(FrameClock, GivesFramesWithoutStampTheUsualLength) {
  expect_near(times_of({10, 1}, {{}, {}, 7.0, 7.3}), {0, 0.1, 0.2, 0.5});
}

TEST(FrameClock, LeavesOneOddStampOut) {
  expect_near(times_of({10, 1}, {0.0, 0.1, 99999.0, 0.3, 0.4}), {0, 0.1, 0.2, 0.3, 0.4});
  expect_near(times_of({10, 1}, {5.0, 5.1, 0.0, 5.3}), {0, 0.1, 0.2, 0.3});
}

TEST(FrameClock, IsOnTimeAgainAfterAStampThatComesTwiceOrTooEarly) {
  expect_near(times_of({10, 1}, {0.0, 0.1, 0.1, 0.2, 0.3}), {0, 0.1, 0.1, 0.2, 0.3});
  expect_near(times_of({10, 1}, {0.0, 0.1, 0.05, 0.15, 0.3}), {0, 0.1, 0.2, 0.2, 0.3});
  expect_near(times_of({10, 1}, {0.0, {}, 0.05, 0.3}), {0, 0.1, 0.1, 0.3});
}

TEST(FrameClock, FollowsStampsThatStartAgain) {
  expect_near(times_of({10, 1}, {5.0, 5.1, 0.0, 0.1, 0.4}), {0, 0.1, 0.2, 0.3, 0.6});
}

TEST(FrameClock, NumbersSkipFramesThatAreMissing) {
  FrameClock clock({25, 1});
  EXPECT_EQ(clock.place(0.0).number, 0);
  EXPECT_EQ(clock.place(0.0403).number, 1);  // coarse time bases round
  EXPECT_EQ(clock.place(0.1201).number, 3);
}

TEST(FrameClock, TakesNoNonsense) {
  expect_near(times_of({10, 1}, {std::numeric_limits<double>::quiet_NaN(), 1.0,
                                 std::numeric_limits<double>::infinity()}),
              {0, 0.1, 0.2});
}

}  // namespace pdvc
