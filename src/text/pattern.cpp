#include "text/pattern.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace pdvc {
namespace {

bool is_letter(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads a pattern from left to right; each function takes what it names off the front.
class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : text_(text), rest_(text) {}

  Pattern parse() {
    Pattern result = choice();
    expect(rest_.empty(), "the end");
    return result;
  }

 private:
  Pattern choice() {
    std::vector<Pattern> parts = {sequence()};
    while (take('|')) parts.push_back(sequence());
    return several(Pattern::Kind::choice, std::move(parts));
  }

  Pattern sequence() {
    std::vector<Pattern> parts;
    while (!rest_.empty() && rest_[0] != '|' && rest_[0] != ')') parts.push_back(repeated());
    return several(Pattern::Kind::sequence, std::move(parts));
  }

  static Pattern several(Pattern::Kind kind, std::vector<Pattern> parts) {
    if (parts.size() == 1) return std::move(parts[0]);
    return {.kind = kind, .set = {}, .parts = std::move(parts)};
  }

  Pattern repeated() {
    Pattern result = single();
    for (;;) {
      if (take('*'))
        result = repeat(std::move(result), 0, Pattern::kUnlimited);
      else if (take('+'))
        result = repeat(std::move(result), 1, Pattern::kUnlimited);
      else if (take('?'))
        result = repeat(std::move(result), 0, 1);
      else if (take('{'))
        result = counted(std::move(result));
      else
        return result;
    }
  }

  static Pattern repeat(Pattern part, int least, int most) {
    Pattern result{.kind = Pattern::Kind::repeat, .set = {}, .parts = {}};
    result.parts.push_back(std::move(part));
    result.least = least;
    result.most = most;
    return result;
  }

  Pattern counted(Pattern part) {
    const int least = number();
    int most = least;
    if (take(',')) most = !rest_.empty() && rest_[0] == '}' ? Pattern::kUnlimited : number();
    expect(take('}'), "}");
    return repeat(std::move(part), least, most);
  }

  int number() {
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    expect(error == std::errc(), "a number");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }

  Pattern single() {
    if (take('(')) {
      Pattern result = choice();
      expect(take(')'), ")");
      return result;
    }
    Pattern result{.kind = Pattern::Kind::set, .set = {}, .parts = {}};
    if (take('['))
      result.set = set();
    else
      add_either_case(result.set, character());
    return result;
  }

  static void add_either_case(CharacterSet& set, unsigned char c) {
    set.set(c);
    if (is_letter(c)) set.set(c ^ 0x20u);
  }

  CharacterSet set() {
    const bool negated = take('^');
    CharacterSet result;
    while (!take(']')) {
      const size_t first = character();
      const size_t last = take('-') ? character() : first;
      expect(first <= last, "a range upwards");
      for (size_t c = first; c <= last; ++c) result.set(c);
    }
    return negated ? ~result : result;
  }

  unsigned char character() {
    take('\\');
    expect(!rest_.empty() && static_cast<unsigned char>(rest_[0]) < 128, "an ASCII character");
    const auto c = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    return c;
  }

  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(bool holds, std::string_view what) const {
    check(holds, "pattern ", text_, ": expected ", what, " at ", text_.size() - rest_.size());
  }

  std::string_view text_, rest_;
};

}  // namespace

Pattern parse_pattern(std::string_view text) { return PatternParser(text).parse(); }

}  // namespace pdvc
