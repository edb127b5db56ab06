// Text from models and file names, made fit for formats whose lines mean something.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pdvc {

// The words of a text with one space between them: white space and control characters only separate
// words, bytes that are not UTF-8 become U+FFFD. "" when there are no words.
std::string one_line(std::string_view text);

// A name kept as it is, but with spaces for control characters and line breaks, and U+FFFD for
// bytes that are not UTF-8.
std::string one_line_name(std::string_view name);

// The words of `text` on lines of at most `width` characters; a word longer than that has a line to
// itself. No line is empty.
std::vector<std::string> wrap_words(std::string_view text, size_t width);

}  // namespace pdvc
