// Text from strangers' files, made safe to show on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pdvc {

// Control characters and invalid UTF-8 become \xNN; text longer than `limit` bytes is cut and ends
// in "...".
std::string printable(std::string_view text, size_t limit = 120);

// The number of bytes of the UTF-8 character at the front of `text`, or 0 where the bytes are not
// valid UTF-8.
size_t utf8_length(std::string_view text);

}  // namespace pdvc
