#include "output/time_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pdvc {

TEST(Milliseconds, AreRoundedAndCutToWhatCanBeTold) {
  EXPECT_EQ(to_milliseconds(1.2345), 1235);
  EXPECT_EQ(to_milliseconds(0.0004), 0);
  EXPECT_EQ(to_milliseconds(-3), 0);
  EXPECT_EQ(to_milliseconds(1e300), kLatestMillisecond);
  EXPECT_EQ(to_milliseconds(INFINITY), kLatestMillisecond);
  EXPECT_EQ(to_milliseconds(NAN), 0);
}

TEST(SubtitleTime, HasHoursMinutesSecondsAndMilliseconds) {
  EXPECT_EQ(subtitle_time(0, ','), "00:00:00,000");
  EXPECT_EQ(subtitle_time(3'723'045, '.'), "01:02:03.045");
  EXPECT_EQ(subtitle_time(kLatestMillisecond, ','), "99:59:59,999");
}

TEST(ShortTime, IsRoundedToTenths) {
  EXPECT_EQ(short_time(3'249), "0:03.2");
  EXPECT_EQ(short_time(59'950), "1:00.0");
  EXPECT_EQ(short_time(3'599'949), "59:59.9");
  EXPECT_EQ(short_time(3'723'400), "1:02:03.4");
}

TEST(WholeSecondTime, IsCut) {
  EXPECT_EQ(whole_second_time(9'999), "0:09");
  EXPECT_EQ(whole_second_time(754'000), "12:34");
  EXPECT_EQ(whole_second_time(3'600'000), "1:00:00");
}

}  // namespace pdvc
