// Regular expressions as trees.
#pragma once

#include <bitset>
#include <string_view>
#include <vector>

namespace pdvc {

using CharacterSet = std::bitset<128>;

struct Pattern {
  enum class Kind { set, sequence, choice, repeat };
  static constexpr int kUnlimited = -1;

  Kind kind = Kind::sequence;
  CharacterSet set;            // of a set
  std::vector<Pattern> parts;  // of a sequence or choice; the one part of a repeat
  int least = 0, most = 0;     // of a repeat
};

// See Scanner for what is understood. Throws Error.
Pattern parse_pattern(std::string_view text);

}  // namespace pdvc
