#include "evaluation/meteor_normalize.h"

#include <algorithm>

#include "text/unicode.h"

namespace pdvc {
namespace {

using Text = std::u32string;
using Characters = bool (*)(char32_t);  // a set of them

// Stands for one dot of a run of dots, which no later rule may touch.
constexpr char32_t kRunDot = 0xf0000;

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_space(char32_t c) { return c == ' '; }
bool is_letter_or_digit(char32_t c) { return is_alphabetic(c) || is_digit(c); }

bool is_no_digit(char32_t c) { return !is_digit(c); }
bool is_no_letter(char32_t c) { return !is_alphabetic(c); }
bool is_neither(char32_t c) { return !is_letter_or_digit(c); }
bool can_precede_dash(char32_t c) { return is_letter_or_digit(c) || c == '.'; }
bool is_s(char32_t c) { return c == 's'; }

// Code points with a space at either end; every kind of white space becomes a space.
Text decoded(std::string_view text) {
  Text result = U" ";
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    result += is_white_space(c) ? U' ' : c;
  }
  return result + U' ';
}

// As a regular expression (left)middle(right) would replace: from left to right, and a character
// that was the right of one place is not the left of another.
Text replaced_between(const Text& text, Characters left, char32_t middle, Characters right,
                      std::u32string_view replacement) {
  Text result;
  result.reserve(text.size() + 16);
  size_t at = 0;
  while (at < text.size()) {
    if (at + 2 < text.size() && text[at + 1] == middle && left(text[at]) && right(text[at + 2])) {
      result += text[at];
      result += replacement;
      result += text[at + 2];
      at += 3;
    } else {
      result += text[at++];
    }
  }
  return result;
}

// Replaces every pair of the same character.
Text with_pairs_replaced(const Text& text, char32_t c, std::u32string_view replacement) {
  Text result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == c && at + 1 < text.size() && text[at + 1] == c) {
      result += replacement;
      ++at;
    } else {
      result += text[at];
    }
  }
  return result;
}

Text with_other_characters_set_off(const Text& text) {
  Text result;
  result.reserve(text.size() + 16);
  for (const char32_t c : text) {
    const bool stays = is_letter_or_digit(c) || is_space(c) ||
                       std::u32string_view(U".'`,-").find(c) != std::u32string_view::npos;
    if (stays)
      result += c;
    else
      (result += U' ') += Text{c, U' '};
  }
  return result;
}

// Two dots and more stand on their own.
Text with_runs_of_dots_set_off(const Text& text) {
  Text result;
  result.reserve(text.size() + 16);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_not_of(U'.', at), text.size());
    if (end - at >= 2)
      ((result += U' ') += Text(end - at, kRunDot)) += U' ';
    else
      result += text[at];
    at = std::max(end, at + 1);
  }
  return result;
}

Text with_commas_set_off(Text text) {
  text = replaced_between(text, is_no_digit, U',', is_no_digit, U" , ");
  text = replaced_between(text, is_digit, U',', is_no_digit, U" , ");
  return replaced_between(text, is_no_digit, U',', is_digit, U" , ");
}

Text with_dashes_opened(const Text& text) {
  return replaced_between(with_pairs_replaced(text, U'-', U"-"), can_precede_dash, U'-',
                          is_letter_or_digit, U" ");
}

Text with_apostrophes_split(Text text) {
  text = replaced_between(text, is_no_letter, U'\'', is_no_letter, U" ' ");
  text = replaced_between(text, is_neither, U'\'', is_alphabetic, U" ' ");
  text = replaced_between(text, is_alphabetic, U'\'', is_no_letter, U" ' ");
  text = replaced_between(text, is_alphabetic, U'\'', is_alphabetic, U" '");
  return replaced_between(text, is_digit, U'\'', is_s, U" '");
}

std::vector<Text> split(const Text& text) {
  std::vector<Text> words;
  for (size_t at = 0; (at = text.find_first_not_of(U' ', at)) != Text::npos;) {
    const size_t end = text.find(U' ', at);  // there is a space at the end
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string as_written(const Text& word) {
  std::string result;
  for (const char32_t c : word) append_utf8(result, c);
  return result;
}

std::string encoded(const Text& word) {
  std::string result;
  for (const char32_t c : word) append_utf8(result, c == kRunDot ? U'.' : lower_case(c));
  return result;
}

// Whether the dot after `word` belongs to it.
bool keeps_dot(const Text& word, const Text* next, const MeteorData& data) {
  const auto id = data.find_word(as_written(word));
  const uint8_t flags = id ? data.flags(*id) : 0;
  if (flags & kPrefix) return true;
  if (!next) return false;
  return is_lower_case(next->front()) || ((flags & kPrefixBeforeNumber) && is_digit(next->front()));
}

// Letters, digits and spaces of ASCII, as most captions are: no rule applies.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ';
  });
}

std::vector<std::string> plain_words(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const size_t end = std::min(text.find(' ', at), text.size());
    std::string& word = words.emplace_back(text.substr(at, end - at));
    for (char& c : word) c = static_cast<char>(lower_case(static_cast<unsigned char>(c)));
    at = end;
  }
  return words;
}

Text with_signs_set_off(std::string_view text) {
  Text line = with_runs_of_dots_set_off(with_other_characters_set_off(decoded(text)));
  line = with_commas_set_off(std::move(line));
  std::ranges::replace(line, U'`', U'\'');
  line = with_pairs_replaced(line, U'\'', U" \" ");
  return with_apostrophes_split(with_dashes_opened(line));
}

// Appends a word that may end in a dot, which may be a word of its own. `next` is null at the end.
void add_word(std::vector<std::string>& words, Text word, const Text* next,
              const MeteorData& data) {
  if (word.size() < 2 || word.back() != U'.') {
    words.push_back(encoded(word));
    return;
  }
  word.pop_back();
  if (word.find(U'.') != Text::npos && std::ranges::any_of(word, is_alphabetic)) {
    std::erase(word, U'.');
    words.push_back(encoded(word));
  } else if (keeps_dot(word, next, data)) {
    words.push_back(encoded(word) + ".");
  } else {
    words.push_back(encoded(word));
    words.push_back(".");
  }
}

}  // namespace

std::vector<std::string> meteor_words(std::string_view text, const MeteorData& data) {
  if (is_plain(text)) return plain_words(text);
  const std::vector<Text> raw = split(with_signs_set_off(text));
  std::vector<std::string> words;
  for (size_t i = 0; i < raw.size(); ++i)
    add_word(words, raw[i], i + 1 < raw.size() ? &raw[i + 1] : nullptr, data);
  return words;
}

}  // namespace pdvc
