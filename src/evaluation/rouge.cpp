#include "evaluation/rouge.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace pdvc {
namespace {

constexpr double kBeta = 1.2;

using Words = std::span<const uint32_t>;

// Where a word stands in a sentence: 64 positions to a block.
struct WordBlock {
  uint32_t word = 0;
  uint32_t block = 0;
  uint64_t positions = 0;
};

// By word, then by block.
std::vector<WordBlock> word_blocks(Words words) {
  std::vector<uint64_t> places;
  places.reserve(words.size());
  for (size_t i = 0; i < words.size(); ++i) places.push_back(uint64_t{words[i]} << 32 | i);
  std::ranges::sort(places);
  std::vector<WordBlock> blocks;
  blocks.reserve(words.size());
  for (const uint64_t place : places) {
    const auto word = static_cast<uint32_t>(place >> 32), i = static_cast<uint32_t>(place);
    if (blocks.empty() || blocks.back().word != word || blocks.back().block != i / 64)
      blocks.push_back({word, i / 64, 0});
    blocks.back().positions |= uint64_t{1} << i % 64;
  }
  return blocks;
}

// One column of the table of common subsequences as bits (Hyyro, 2004): the length grows at each
// position whose bit is 0. Blocks that a word does not touch are passed over.
class LengthColumn {
 public:
  explicit LengthColumn(size_t positions) : bits_((positions + 63) / 64, ~uint64_t{0}) {}

  // Goes on by a word that stands at these positions.
  void advance(std::span<const WordBlock> word) {
    bool carry = false;
    size_t at = 0;
    for (const WordBlock& place : word) {
      for (; carry && at < std::min<size_t>(place.block, used_); ++at) carry = add(at, 0, carry);
      carry = add(place.block, place.positions, carry);
      at = place.block + 1;
      used_ = std::max(used_, at);
    }
    for (; carry && at < used_; ++at) carry = add(at, 0, carry);
  }

  size_t length() const {
    size_t zeros = 0;
    for (const uint64_t block : bits_) zeros += static_cast<size_t>(std::popcount(~block));
    return zeros;
  }

 private:
  bool add(size_t block, uint64_t positions, bool carry) {
    const uint64_t old = bits_[block];
    uint64_t sum = 0;
    const bool first = __builtin_add_overflow(old, old & positions, &sum);
    const bool second = __builtin_add_overflow(sum, uint64_t{carry}, &sum);
    bits_[block] = sum | (old & ~positions);
    return first || second;
  }

  std::vector<uint64_t> bits_;
  size_t used_ = 0;  // from here on every bit is 1, which a carry leaves as it is
};

size_t common_prefix(Words a, Words b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

size_t common_suffix(Words a, Words b) {
  const auto end = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first;
  return static_cast<size_t>(end - a.rbegin());
}

}  // namespace

size_t longest_common_subsequence(Words a, Words b) {
  const size_t prefix = common_prefix(a, b);
  a = a.subspan(prefix);
  b = b.subspan(prefix);
  const size_t suffix = common_suffix(a, b);
  a = a.first(a.size() - suffix);
  b = b.first(b.size() - suffix);
  if (a.size() > b.size()) std::swap(a, b);
  const std::vector<WordBlock> places = word_blocks(a);
  LengthColumn column(a.size());
  for (const uint32_t word : b)
    column.advance(std::ranges::equal_range(places, word, {}, &WordBlock::word));
  return prefix + column.length() + suffix;
}

double rouge_l(const SentenceSet& sentences, const SentencePair& pair) {
  const Words own = sentences.tokens(pair.hypothesis);
  double precision = 0, recall = 0;
  for (const size_t reference : pair.references) {
    const Words other = sentences.tokens(reference);
    // An empty text counts as one empty word.
    const bool both_empty = own.empty() && other.empty();
    const auto common =
        both_empty ? 1.0 : static_cast<double>(longest_common_subsequence(own, other));
    precision = std::max(precision, common / static_cast<double>(std::max<size_t>(1, own.size())));
    recall = std::max(recall, common / static_cast<double>(std::max<size_t>(1, other.size())));
  }
  if (precision == 0 || recall == 0) return 0;
  constexpr double kSquare = kBeta * kBeta;
  return (1 + kSquare) * precision * recall / (recall + kSquare * precision);
}

}  // namespace pdvc
