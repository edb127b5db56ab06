// Cuts text into pieces by a list of regular expressions: at each place the longest match wins, the
// earlier rule on a tie.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pdvc {

// All rules as one automaton over the 128 ASCII characters.
//
// Patterns know literals, \x for a character that means something, [sets] with ranges and [^...],
// (groups), | * + ? and {n} {n,} {n,m}. Literal letters match in either case, sets as written.
class Scanner {
 public:
  static constexpr int kNoRule = -1;

  struct Match {
    int rule = kNoRule;  // index of the rule, or kNoRule
    size_t length = 0;
  };

  // Throws Error on a pattern it cannot read.
  explicit Scanner(const std::vector<std::string>& patterns);

  // A pass over one text, which must outlive it and holds no byte above 127. Linear in the text's
  // length as long as each match starts where the last one ended or a little before.
  class Pass {
   public:
    Pass(const Scanner& scanner, std::string_view text) : scanner_(scanner), text_(text) {}
    Match match_at(size_t from);

   private:
    const Scanner& scanner_;
    std::string_view text_;
    // (place, state) from which nothing more is accepted. Without it, text that always almost
    // matches a long pattern would be read to its end again from every place.
    std::unordered_set<uint64_t> dead_ends_;
  };

  size_t state_count() const { return accepted_.size(); }

 private:
  static constexpr uint16_t kStuck = 0, kStart = 1;

  uint16_t next(uint16_t state, unsigned char c) const {
    return transitions_[state * class_count_ + class_of_[c]];
  }

  std::array<uint8_t, 128> class_of_{};  // characters that no pattern tells apart share a class
  size_t class_count_ = 0;
  std::vector<uint16_t> transitions_;  // [state, class]
  std::vector<int16_t> accepted_;      // [state] rule or kNoRule
};

}  // namespace pdvc
