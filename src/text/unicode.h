// The little of Unicode that captions need: code points, lower case and white space as Python sees
// them.
#pragma once

#include <string>
#include <string_view>

namespace pdvc {

// The code point at the front of `text`, removed from it; a byte that is not valid UTF-8 gives
// U+FFFD.
char32_t next_code_point(std::string_view& text);
void append_utf8(std::string& text, char32_t code_point);
char32_t lower_case(char32_t code_point);
bool is_white_space(char32_t code_point);
bool is_alphabetic(char32_t code_point);
bool is_lower_case(char32_t code_point);

}  // namespace pdvc
