#include "output/line_text.h"

#include "text/unicode.h"

namespace pdvc {
namespace {

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

bool breaks_line(char32_t c) { return is_control(c) || c == 0x2028 || c == 0x2029; }

struct Word {
  std::string text;
  size_t characters = 0;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  bool inside = false;
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    const bool separates = is_white_space(c) || is_control(c);
    if (!separates) {
      if (!inside) words.emplace_back();
      append_utf8(words.back().text, c);
      ++words.back().characters;
    }
    inside = !separates;
  }
  return words;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (const Word& word : words_of(text)) {
    if (!line.empty()) line += ' ';
    line += word.text;
  }
  return line;
}

std::string one_line_name(std::string_view name) {
  std::string line;
  while (!name.empty()) {
    const char32_t c = next_code_point(name);
    append_utf8(line, breaks_line(c) ? U' ' : c);
  }
  return line;
}

std::vector<std::string> wrap_words(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  size_t used = 0;
  for (const Word& word : words_of(text)) {
    const bool fits = !lines.empty() && used + 1 + word.characters <= width;
    if (fits) {
      lines.back() += ' ' + word.text;
      used += 1 + word.characters;
    } else {
      lines.push_back(word.text);
      used = word.characters;
    }
  }
  return lines;
}

}  // namespace pdvc
