#include "evaluation/sentence_set.h"

#include <algorithm>

#include "text/unicode.h"

namespace pdvc {
namespace {

// Cuts a token where the published code, which splits at any white space, would.
template <class Visit>
void for_each_word(std::string_view token, Visit&& visit) {
  const char* begin = token.data();
  for (std::string_view rest = token; !rest.empty();) {
    const char* const at = rest.data();
    if (!is_white_space(next_code_point(rest))) continue;
    if (at > begin) visit(std::string_view(begin, at));
    begin = rest.data();
  }
  const char* const end = token.data() + token.size();
  if (end > begin) visit(std::string_view(begin, end));
}

}  // namespace

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

std::span<const uint32_t> SentenceSet::NumberLists::of(size_t sentence) const {
  const size_t end = sentence + 1 < starts.size() ? starts[sentence + 1] : numbers.size();
  return std::span(numbers).subspan(starts[sentence], end - starts[sentence]);
}

size_t SentenceSet::add(std::string_view text) {
  if (const auto known = sentence_numbers_.find(text); known != sentence_numbers_.end())
    return known->second;
  const size_t number = texts_.size();
  const std::string& kept = texts_.emplace_back(text);
  sentence_numbers_.emplace(kept, number);
  add_parts(kept);
  add_ngrams(words(number));
  return number;
}

uint32_t SentenceSet::word_number(std::string_view word) {
  const auto next = static_cast<uint32_t>(word_numbers_.size());
  return word_numbers_.emplace(word, next).first->second;
}

void SentenceSet::add_parts(std::string_view text) {
  tokens_.begin();
  words_.begin();
  while (!text.empty()) {
    const std::string_view token = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), token.size() + 1));
    if (token.empty()) continue;
    const uint32_t number = word_number(token);
    tokens_.numbers.push_back(number);
    for_each_word(token, [&](std::string_view word) {
      words_.numbers.push_back(word.size() == token.size() ? number : word_number(word));
    });
  }
}

void SentenceSet::add_ngrams(std::span<const uint32_t> words) {
  OrderStarts& starts = order_starts_.emplace_back();
  starts[0] = counts_.size();
  std::vector<uint32_t> numbers(words.begin(), words.end());  // of the n-gram at each word
  for (size_t order = 1; order <= kLongestNgram; ++order) {
    add_counts(numbers);
    starts[order] = counts_.size();
    if (order == kLongestNgram) break;
    numbers.resize(words.size() - std::min(words.size(), order));
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = longer_[order - 1].number(numbers[i], words[i + order]);
  }
}

// Appends how often each number occurs.
void SentenceSet::add_counts(std::vector<uint32_t> numbers) {
  std::ranges::sort(numbers);
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i;
    while (end < numbers.size() && numbers[end] == numbers[i]) ++end;
    counts_.push_back({numbers[i], static_cast<uint32_t>(end - i)});
    i = end;
  }
}

std::span<const NgramCount> SentenceSet::ngrams(size_t sentence, int order) const {
  const OrderStarts& starts = order_starts_[sentence];
  const size_t begin = starts[static_cast<size_t>(order - 1)];
  return std::span(counts_).subspan(begin, starts[static_cast<size_t>(order)] - begin);
}

size_t SentenceSet::ngram_kinds(int order) const {
  return order == 1 ? word_numbers_.size() : longer_[static_cast<size_t>(order - 2)].size();
}

}  // namespace pdvc
