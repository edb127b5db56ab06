// Builds the trie of phrases and the lists of paraphrases that MeteorData reads.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/meteor_layout.h"

namespace pdvc {

// Up to seven words in 16 bytes, ordered by length first.
struct PhraseKey {
  uint64_t high = 0, low = 0;

  static PhraseKey of(std::span<const uint32_t> words);
  size_t length() const { return high >> 48; }
  uint16_t last_word() const { return word(length() - 1); }
  // The first `length` words.
  PhraseKey prefix(size_t length) const;

  auto operator<=>(const PhraseKey&) const = default;

 private:
  uint16_t word(size_t index) const;
};

// The arrays of the file, see meteor_layout.h.
struct PhraseArrays {
  std::vector<uint16_t> node_words;
  std::vector<uint64_t> parents, sources;
  std::vector<uint32_t> parents_before, child_offsets, sources_before, paraphrase_offsets,
      paraphrases;
};

class PhraseTableBuilder {
 public:
  // Pairs of one source come one after another or not; their order is kept.
  void add(PhraseKey source, PhraseKey paraphrase);
  // `words`: how many words occur in phrases, with ids from 0.
  PhraseArrays build(size_t words) const;

 private:
  struct Source {
    PhraseKey phrase;
    uint32_t begin = 0, end = 0;  // in paraphrases_
  };
  std::vector<PhraseKey> nodes(size_t words) const;

  std::vector<Source> sources_;
  std::vector<PhraseKey> paraphrases_;
};

}  // namespace pdvc
