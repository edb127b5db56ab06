#include "evaluation/sentence_set.h"

#include <algorithm>

namespace pdvc {

uint32_t PairNumbers::number(uint32_t first, uint32_t second) {
  if (slots_.size() <= size_t{2} * size_) grow();
  Slot& slot = slots_[slot_of(first, second)];
  if (slot.number == kFree) slot = {first, second, size_++};
  return slot.number;
}

// The pair's slot, or the free one where it would go.
size_t PairNumbers::slot_of(uint32_t first, uint32_t second) const {
  const size_t mask = slots_.size() - 1;
  uint64_t hash = (uint64_t{first} << 32 | second) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number == kFree || (slot.first == first && slot.second == second)) return at;
  }
}

void PairNumbers::grow() {
  std::vector<Slot> old(std::max<size_t>(64, slots_.size() * 2));
  slots_.swap(old);
  for (const Slot& slot : old)
    if (slot.number != kFree) slots_[slot_of(slot.first, slot.second)] = slot;
}

size_t SentenceSet::add(std::string_view text) {
  if (const auto known = sentence_numbers_.find(text); known != sentence_numbers_.end())
    return known->second;
  const std::string& kept = texts_.emplace_back(text);
  sentence_numbers_.emplace(kept, entries_.size());
  entries_.push_back({.words = words_.size()});
  entries_.back().counts[0] = counts_.size();
  add_words(kept);

  const std::span<const uint32_t> words = std::span(words_).subspan(entries_.back().words);
  std::vector<uint32_t> numbers(words.begin(), words.end());  // of the n-gram at each word
  for (int order = 1; order <= kLongestNgram; ++order) {
    add_counts(numbers);
    entries_.back().counts[static_cast<size_t>(order)] = counts_.size();
    if (order == kLongestNgram) break;
    const size_t longer = words.size() - std::min(words.size(), static_cast<size_t>(order));
    numbers.resize(longer);
    for (size_t i = 0; i < longer; ++i)
      numbers[i] = longer_[static_cast<size_t>(order - 1)].number(
          numbers[i], words[i + static_cast<size_t>(order)]);
  }
  return entries_.size() - 1;
}

void SentenceSet::add_words(std::string_view text) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    const auto next = static_cast<uint32_t>(word_numbers_.size());
    words_.push_back(word_numbers_.emplace(word, next).first->second);
  }
}

// Appends how often each number occurs.
void SentenceSet::add_counts(std::vector<uint32_t>& numbers) {
  std::vector<uint32_t> sorted = numbers;
  std::ranges::sort(sorted);
  for (size_t i = 0; i < sorted.size();) {
    size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    counts_.push_back({sorted[i], static_cast<uint32_t>(end - i)});
    i = end;
  }
}

std::span<const uint32_t> SentenceSet::words(size_t sentence) const {
  const size_t begin = entries_[sentence].words;
  const size_t end = sentence + 1 < entries_.size() ? entries_[sentence + 1].words : words_.size();
  return std::span(words_).subspan(begin, end - begin);
}

std::span<const NgramCount> SentenceSet::ngrams(size_t sentence, int order) const {
  const auto& starts = entries_[sentence].counts;
  const size_t begin = starts[static_cast<size_t>(order - 1)];
  return std::span(counts_).subspan(begin, starts[static_cast<size_t>(order)] - begin);
}

size_t SentenceSet::ngram_kinds(int order) const {
  return order == 1 ? word_numbers_.size() : longer_[static_cast<size_t>(order - 2)].size();
}

}  // namespace pdvc
