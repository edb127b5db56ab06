#include "text/unicode.h"

#include <locale.h>

#include <clocale>
#include <cwctype>

#include "base/printable.h"

namespace pdvc {
namespace {

// glibc carries Unicode's case tables; this locale is built into it.
locale_t unicode_locale() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

}  // namespace

char32_t next_code_point(std::string_view& text) {
  const size_t length = utf8_length(text);
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  char32_t result = 0xfffd;
  if (length == 1) result = byte(0);
  if (length == 2) result = (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu);
  if (length == 3) result = (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
  if (length == 4)
    result = (byte(0) & 0x07u) << 18 | (byte(1) & 0x3fu) << 12 | (byte(2) & 0x3fu) << 6 |
             (byte(3) & 0x3fu);
  text.remove_prefix(length == 0 ? 1 : length);
  return result;
}

void append_utf8(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0 | c >> 6);
    text += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0 | c >> 12);
    text += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | c >> 18);
    text += static_cast<char>(0x80 | (c >> 12 & 0x3f));
    text += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (c & 0x3f));
  }
}

char32_t lower_case(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (!unicode_locale()) return c;
  return static_cast<char32_t>(towlower_l(static_cast<wint_t>(c), unicode_locale()));
}

bool is_white_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

bool is_alphabetic(char32_t c) {
  if (c < 0x80) return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return unicode_locale() && iswalpha_l(static_cast<wint_t>(c), unicode_locale()) != 0;
}

bool is_lower_case(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  return unicode_locale() && iswlower_l(static_cast<wint_t>(c), unicode_locale()) != 0;
}

}  // namespace pdvc
