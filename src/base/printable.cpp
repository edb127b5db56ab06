#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace pdvc {
namespace {

uint8_t byte_at(std::string_view text, size_t i) { return static_cast<uint8_t>(text[i]); }

// C0, DEL and the C1 range, which some terminals obey as well.
bool is_control(std::string_view character) {
  if (character.size() == 1) return byte_at(character, 0) < 0x20 || byte_at(character, 0) == 0x7f;
  return character.size() == 2 && byte_at(character, 0) == 0xc2 && byte_at(character, 1) < 0xa0;
}

size_t announced_length(uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

// Overlong forms, surrogates and code points past U+10FFFF show in the second byte.
bool second_byte_fits(uint8_t lead, uint8_t second) {
  if (lead == 0xe0) return second >= 0xa0;
  if (lead == 0xed) return second < 0xa0;
  if (lead == 0xf0) return second >= 0x90;
  if (lead == 0xf4) return second < 0x90;
  return true;
}

}  // namespace

size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const size_t length = announced_length(byte_at(text, 0));
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  if (length > 1 && !second_byte_fits(byte_at(text, 0), byte_at(text, 1))) return 0;
  return length;
}

std::string printable(std::string_view text, size_t limit) {
  std::string result;
  while (!text.empty()) {
    if (result.size() >= limit) return result + "...";
    const size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<size_t>(length, 1));
    if (length > 0 && !is_control(character))
      result += character;
    else
      for (const char c : character) result += fmt::format("\\x{:02x}", static_cast<uint8_t>(c));
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace pdvc
