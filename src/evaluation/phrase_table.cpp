#include "evaluation/phrase_table.h"

#include <algorithm>
#include <bit>

namespace pdvc {
namespace {

void sort_once_each(std::vector<PhraseKey>& keys) {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

void set_bit(std::vector<uint64_t>& bits, size_t index) {
  bits[index / 64] |= uint64_t{1} << index % 64;
}

std::vector<uint32_t> counts_before(const std::vector<uint64_t>& bits) {
  std::vector<uint32_t> result;
  uint32_t total = 0;
  for (const uint64_t word : bits) {
    result.push_back(total);
    total += static_cast<uint32_t>(std::popcount(word));
  }
  return result;
}

size_t position_in(const std::vector<PhraseKey>& nodes, const PhraseKey& phrase) {
  return static_cast<size_t>(std::ranges::lower_bound(nodes, phrase) - nodes.begin());
}

// Nodes are sorted by length, then word by word: parents and their children come in the same order.
void add_children(const std::vector<PhraseKey>& nodes, PhraseArrays& arrays) {
  size_t parent = nodes.size();
  for (size_t node = 0; node < nodes.size(); ++node) {
    const size_t length = nodes[node].length();
    if (length == 1) continue;
    const PhraseKey begin = nodes[node].prefix(length - 1);
    if (parent < nodes.size() && nodes[parent] == begin) continue;
    parent = position_in(nodes, begin);
    set_bit(arrays.parents, parent);
    arrays.child_offsets.push_back(static_cast<uint32_t>(node));
  }
  arrays.child_offsets.push_back(static_cast<uint32_t>(nodes.size()));
}

}  // namespace

PhraseKey PhraseKey::of(std::span<const uint32_t> words) {
  PhraseKey key{.high = uint64_t{words.size()} << 48};
  for (size_t i = 0; i < words.size(); ++i)
    (i < 3 ? key.high : key.low) |= uint64_t{words[i]} << (i < 3 ? 32 - 16 * i : 48 - 16 * (i - 3));
  return key;
}

PhraseKey PhraseKey::prefix(size_t length) const {
  std::array<uint32_t, kLongestPhrase> words{};
  for (size_t i = 0; i < length; ++i) words[i] = word(i);
  return of(std::span(words).first(length));
}

uint16_t PhraseKey::word(size_t index) const {
  return static_cast<uint16_t>(index < 3 ? high >> (32 - 16 * index)
                                         : low >> (48 - 16 * (index - 3)));
}

void PhraseTableBuilder::add(PhraseKey source, PhraseKey paraphrase) {
  const auto at = static_cast<uint32_t>(paraphrases_.size());
  if (sources_.empty() || sources_.back().phrase != source)
    sources_.push_back({.phrase = source, .begin = at, .end = at});
  paraphrases_.push_back(paraphrase);
  sources_.back().end = at + 1;
}

std::vector<PhraseKey> PhraseTableBuilder::nodes(size_t words) const {
  std::vector<PhraseKey> result = paraphrases_;
  for (const Source& source : sources_) result.push_back(source.phrase);
  sort_once_each(result);
  for (size_t i = 0, phrases = result.size(); i < phrases; ++i)
    for (size_t length = 2; length < result[i].length(); ++length) {
      const PhraseKey begin = result[i].prefix(length);
      if (result.size() == phrases || result.back() != begin) result.push_back(begin);
    }
  for (uint32_t word = 0; word < words; ++word) result.push_back(PhraseKey::of({{word}}));
  sort_once_each(result);
  return result;
}

PhraseArrays PhraseTableBuilder::build(size_t words) const {
  const std::vector<PhraseKey> nodes = this->nodes(words);
  PhraseArrays arrays;
  arrays.parents.resize((nodes.size() + 63) / 64);
  arrays.sources.resize(arrays.parents.size());
  for (const PhraseKey& node : nodes) arrays.node_words.push_back(node.last_word());
  add_children(nodes, arrays);

  std::vector<Source> sources = sources_;
  std::ranges::stable_sort(sources, {}, &Source::phrase);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (i == 0 || sources[i].phrase != sources[i - 1].phrase) {
      set_bit(arrays.sources, position_in(nodes, sources[i].phrase));
      arrays.paraphrase_offsets.push_back(static_cast<uint32_t>(arrays.paraphrases.size()));
    }
    for (uint32_t at = sources[i].begin; at < sources[i].end; ++at)
      arrays.paraphrases.push_back(static_cast<uint32_t>(position_in(nodes, paraphrases_[at])));
  }
  arrays.paraphrase_offsets.push_back(static_cast<uint32_t>(arrays.paraphrases.size()));
  arrays.parents_before = counts_before(arrays.parents);
  arrays.sources_before = counts_before(arrays.sources);
  return arrays;
}

}  // namespace pdvc
