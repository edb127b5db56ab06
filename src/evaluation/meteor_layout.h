// The file meteor-1.5.bin: METEOR's word lists and paraphrases as arrays that are used where they
// lie.
//
//   8 bytes   kMeteorMagic
//   8 bytes   checksum of all that follows
//   8 bytes   the number of words that occur in phrases; these have the lowest ids
//   16 bytes  for each section: offset in the file, size in bytes
//   sections  in the order below, each at a multiple of 8, nothing between them but zeros
//
// Words have ids. Phrases form a trie: a node is a phrase or the beginning of one. Node w is the
// phrase of the one word w; the children of a node stand together, sorted by their last words. What
// only some nodes have (children, paraphrases) is found through a set of bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pdvc {

constexpr std::string_view kMeteorMagic = "PDVCMTR1";
constexpr const char* kMeteorFileName = "meteor-1.5.bin";
constexpr size_t kLongestPhrase = 7;  // words

enum class MeteorSection : size_t {
  word_offsets,        // u32 [word + 1] into word_text
  word_text,           // characters
  word_slots,          // u32, a power of two of them: open addressing by hash, kNoWord where free
  word_flags,          // u8 [word]
  synonym_offsets,     // u32 [word + 1] into synonym_sets
  synonym_sets,        // u32, sorted for each word
  base_offsets,        // u32 [word + 1] into base_words
  base_words,          // u32: base forms of irregular words
  node_words,          // u16 [node] the last word of the phrase
  parents,             // bits [node]: has children
  parents_before,      // u32 [64 bits of parents]: bits set before
  child_offsets,       // u32 [parent + 1]: first child
  sources,             // bits [node]: has paraphrases
  sources_before,      // u32
  paraphrase_offsets,  // u32 [source + 1] into paraphrases
  paraphrases,         // u32: nodes, in the table's order
  count
};
constexpr size_t kMeteorSections = static_cast<size_t>(MeteorSection::count);
constexpr size_t kMeteorHeaderSize = 24 + 16 * kMeteorSections;

constexpr uint32_t kNoWord = 0xffffffff;

enum MeteorWordFlag : uint8_t {
  kFunctionWord = 1,
  kPrefix = 2,              // its dot does not end a sentence
  kPrefixBeforeNumber = 4,  // not in front of a number
};

uint64_t meteor_word_hash(std::string_view word);

}  // namespace pdvc
