// Times as people and players read them.
#pragma once

#include <cstdint>
#include <string>

namespace pdvc {

// 99:59:59.999, the last time that subtitles with two digits for hours can tell.
constexpr int64_t kLatestMillisecond = 359'999'999;

// Rounded, and cut to 0 .. kLatestMillisecond; what is not a number becomes 0.
int64_t to_milliseconds(double seconds);

// "01:02:03,456", with the decimal mark that the format wants.
std::string subtitle_time(int64_t milliseconds, char decimal_mark);

// "0:03.2", "1:02:03.4": rounded to tenths, hours only when needed.
std::string short_time(int64_t milliseconds);

// "0:03", "1:02:03": cut to seconds, hours only when needed.
std::string whole_second_time(int64_t milliseconds);

}  // namespace pdvc
