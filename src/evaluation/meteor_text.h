// A text made ready to be aligned with many others.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/meteor_data.h"

namespace pdvc {

struct MeteorWord {
  std::string text, stem;
  std::optional<uint32_t> id;  // in MeteorData
  bool is_function = false;
  std::vector<uint32_t> synonym_sets;  // sorted
};

// A word in short, compared before the word itself: what differs here differs there.
struct MeteorWordHash {
  size_t text = 0, stem = 0;
  std::bitset<256> synonym_sets;  // one bit for each: without a bit in common no set is
};

// Words behind this many count in the length but are not matched. The longest published paragraph
// has 301.
constexpr size_t kMostMatchedWords = 4000;

// Words of the text that are a phrase of the table, or the beginning of one.
struct MeteorPhrase {
  uint32_t node = 0;  // of MeteorData
  uint32_t start = 0, length = 0;
};

class PreparedText {
 public:
  // Normalizes, stems and looks up; linear in the text's length.
  PreparedText(std::string_view text, const MeteorData& data);

  // Of the whole text, function words included.
  size_t length() const { return length_; }
  size_t function_words() const { return function_words_; }

  // The words that can be matched, and the same in short.
  std::span<const MeteorWord> words() const { return words_; }
  std::span<const MeteorWordHash> hashes() const { return hashes_; }
  // By start, then length.
  std::span<const MeteorPhrase> phrases() const { return phrases_; }
  // The same phrase at all its places, by start.
  std::span<const MeteorPhrase> places_of(uint32_t node) const;

 private:
  void find_phrases(const MeteorData& data);

  std::vector<MeteorWord> words_;
  std::vector<MeteorWordHash> hashes_;
  std::vector<MeteorPhrase> phrases_;
  std::vector<MeteorPhrase> by_node_;
  std::array<uint64_t, 16>
      node_bits_{};  // most phrases asked for are not there: this says so at once
  size_t length_ = 0;
  size_t function_words_ = 0;
};

}  // namespace pdvc
