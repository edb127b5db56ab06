#include "output/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pdvc {

int64_t to_milliseconds(double seconds) {
  if (std::isnan(seconds)) return 0;
  const double latest = static_cast<double>(kLatestMillisecond);
  return std::llround(std::clamp(seconds * 1000, 0.0, latest));
}

std::string subtitle_time(int64_t milliseconds, char decimal_mark) {
  const int64_t seconds = milliseconds / 1000;
  return fmt::format("{:02}:{:02}:{:02}{}{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60,
                     decimal_mark, milliseconds % 1000);
}

std::string short_time(int64_t milliseconds) {
  const int64_t tenths = (milliseconds + 50) / 100;
  return fmt::format("{}.{}", whole_second_time(tenths / 10 * 1000), tenths % 10);
}

std::string whole_second_time(int64_t milliseconds) {
  const int64_t seconds = milliseconds / 1000;
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace pdvc
