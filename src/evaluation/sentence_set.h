// Tokenised sentences, made ready once for every metric: words and n-grams as small numbers,
// counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pdvc {

constexpr int kLongestNgram = 4;

struct NgramCount {
  uint32_t ngram = 0;
  uint32_t count = 0;
};

// A hypothesis and what it is compared with, as numbers of sentences.
struct SentencePair {
  std::vector<size_t> references;  // at least one
  size_t hypothesis = 0;
};

// Numbers pairs of numbers in the order in which they are first seen.
class PairNumbers {
 public:
  uint32_t number(uint32_t first, uint32_t second);
  uint32_t size() const { return size_; }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  struct Slot {
    uint32_t first = 0, second = 0, number = kFree;
  };
  size_t slot_of(uint32_t first, uint32_t second) const;
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  uint32_t size_ = 0;
};

// The sentences of one set of pairs. Numbers of words and n-grams mean something within it only.
class SentenceSet {
 public:
  // The number of the sentence with these tokens, which single spaces separate; the same text has
  // the same number.
  size_t add(std::string_view text);

  size_t size() const { return texts_.size(); }
  std::string_view text(size_t sentence) const { return texts_[sentence]; }
  std::span<const uint32_t> tokens(size_t sentence) const { return tokens_.of(sentence); }
  // Tokens cut at other white space too: a fraction may hold a no-break space. N-grams are of
  // words.
  std::span<const uint32_t> words(size_t sentence) const { return words_.of(sentence); }
  // The n-grams of `order` words, 1 to kLongestNgram, by rising number.
  std::span<const NgramCount> ngrams(size_t sentence, int order) const;
  // How many different n-grams of `order` words there are: their numbers are smaller.
  size_t ngram_kinds(int order) const;

 private:
  // Lists of numbers, one for each sentence, end to end.
  struct NumberLists {
    std::vector<uint32_t> numbers;
    std::vector<size_t> starts;

    void begin() { starts.push_back(numbers.size()); }
    std::span<const uint32_t> of(size_t sentence) const;
  };
  using OrderStarts = std::array<size_t, kLongestNgram + 1>;

  void add_parts(std::string_view text);
  void add_ngrams(std::span<const uint32_t> words);
  void add_counts(std::vector<uint32_t> numbers);
  uint32_t word_number(std::string_view word);

  std::deque<std::string> texts_;  // stable: the maps below look into them
  std::unordered_map<std::string_view, size_t> sentence_numbers_;
  std::unordered_map<std::string_view, uint32_t> word_numbers_;
  std::array<PairNumbers, kLongestNgram - 1> longer_;  // of orders 2 and up: (shorter one, word)
  NumberLists tokens_, words_;
  std::vector<OrderStarts> order_starts_;  // of each sentence: where each order starts in counts_
  std::vector<NgramCount> counts_;
};

}  // namespace pdvc
