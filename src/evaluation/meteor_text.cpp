#include "evaluation/meteor_text.h"

#include <algorithm>
#include <utility>

#include "evaluation/meteor_normalize.h"
#include "evaluation/meteor_synonyms.h"
#include "evaluation/stemmer.h"

namespace pdvc {
namespace {

size_t bit_of(uint32_t node) { return node % 1024; }

bool is_function_word(std::optional<uint32_t> id, const MeteorData& data) {
  return id && (data.flags(*id) & kFunctionWord) != 0;
}

MeteorWord word_of(std::string text, const MeteorData& data, Stemmer& stemmer) {
  MeteorWord word;
  word.id = data.find_word(text);
  word.is_function = is_function_word(word.id, data);
  word.synonym_sets = meteor_synonym_sets(text, word.id, data);
  word.stem = stemmer.stem(text);
  word.text = std::move(text);
  return word;
}

MeteorWordHash hash_of(const MeteorWord& word) {
  const std::hash<std::string> hash;
  MeteorWordHash result;
  result.text = hash(word.text);
  result.stem = hash(word.stem);
  for (const uint32_t set : word.synonym_sets) result.synonym_sets.set(set % 256);
  return result;
}

}  // namespace

PreparedText::PreparedText(std::string_view text, const MeteorData& data) {
  std::vector<std::string> texts = meteor_words(text, data);
  length_ = texts.size();
  const size_t matched = std::min(texts.size(), kMostMatchedWords);
  words_.reserve(matched);
  hashes_.reserve(matched);
  Stemmer stemmer;
  for (size_t i = 0; i < matched; ++i) {
    words_.push_back(word_of(std::move(texts[i]), data, stemmer));
    hashes_.push_back(hash_of(words_.back()));
    function_words_ += words_.back().is_function;
  }
  for (size_t i = matched; i < texts.size(); ++i)
    function_words_ += is_function_word(data.find_word(texts[i]), data);
  find_phrases(data);
}

void PreparedText::find_phrases(const MeteorData& data) {
  for (uint32_t start = 0; start < words_.size(); ++start) {
    const auto first = words_[start].id;
    std::optional<uint32_t> node = first ? data.first_node(*first) : std::nullopt;
    for (uint32_t length = 1; node; ++length) {
      phrases_.push_back({.node = *node, .start = start, .length = length});
      node_bits_[bit_of(*node) / 64] |= uint64_t{1} << *node % 64;
      const size_t next = start + length;
      if (length == kLongestPhrase || next == words_.size() || !words_[next].id) break;
      node = data.child(*node, *words_[next].id);
    }
  }
  by_node_ = phrases_;
  std::ranges::sort(by_node_, {}, [](const MeteorPhrase& p) { return std::pair(p.node, p.start); });
}

std::span<const MeteorPhrase> PreparedText::places_of(uint32_t node) const {
  if ((node_bits_[bit_of(node) / 64] >> node % 64 & 1) == 0) return {};
  const auto range = std::ranges::equal_range(by_node_, node, {}, &MeteorPhrase::node);
  return {range.begin(), range.end()};
}

}  // namespace pdvc
