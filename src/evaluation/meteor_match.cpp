#include "evaluation/meteor_match.h"

#include <algorithm>

namespace pdvc {
namespace {

using Matches = std::vector<MeteorMatch>;

// Matching grows with the product of the lengths; this many pairs of words take a fraction of a
// second at worst. Only words of two giant texts are left out.
constexpr size_t kMostWordPairs = 1000000;

struct Lengths {
  size_t reference, test;
};

Lengths matched_lengths(const PreparedText& reference, const PreparedText& test) {
  Lengths lengths{reference.words().size(), test.words().size()};
  if (lengths.reference * lengths.test <= kMostWordPairs) return lengths;
  lengths.test = std::min(lengths.test, std::max<size_t>(1000, kMostWordPairs / lengths.reference));
  lengths.reference = std::min(lengths.reference, kMostWordPairs / lengths.test);
  return lengths;
}

bool share_a_set(const MeteorWord& a, const MeteorWord& b) {
  auto left = a.synonym_sets.begin(), right = b.synonym_sets.begin();
  while (left != a.synonym_sets.end() && right != b.synonym_sets.end()) {
    if (*left == *right) return true;
    *left < *right ? ++left : ++right;
  }
  return false;
}

// One word of the reference against all of the hypothesis.
class WordMatcher {
 public:
  WordMatcher(const PreparedText& reference, size_t position, const PreparedText& test,
              size_t test_length)
      : word_(reference.words()[position]),
        hash_(reference.hashes()[position]),
        position_(static_cast<uint32_t>(position)),
        test_(test.words().first(test_length)),
        hashes_(test.hashes()) {}

  void add_exact(Matches& matches) const {
    add(matches, MeteorStage::exact, [&](size_t i) { return is_same(i); });
  }
  void add_stems(Matches& matches) const {
    add(matches, MeteorStage::stem, [&](size_t i) {
      return hashes_[i].stem == hash_.stem && test_[i].stem == word_.stem && !is_same(i);
    });
  }
  void add_synonyms(Matches& matches) const {
    add(matches, MeteorStage::synonym, [&](size_t i) {
      return (hashes_[i].synonym_sets & hash_.synonym_sets).any() && !is_same(i) &&
             share_a_set(test_[i], word_);
    });
  }

 private:
  bool is_same(size_t i) const {
    return hashes_[i].text == hash_.text && test_[i].text == word_.text;
  }

  template <class Fits>
  void add(Matches& matches, MeteorStage stage, Fits&& fits) const {
    for (size_t i = 0; i < test_.size(); ++i)
      if (fits(i))
        matches.push_back({.start = position_,
                           .length = 1,
                           .test_start = static_cast<uint32_t>(i),
                           .test_length = 1,
                           .stage = stage});
  }

  const MeteorWord& word_;
  const MeteorWordHash& hash_;
  uint32_t position_;
  std::span<const MeteorWord> test_;
  std::span<const MeteorWordHash> hashes_;
};

MeteorMatch phrase_match(const MeteorPhrase& reference, const MeteorPhrase& test) {
  return {.start = reference.start,
          .length = reference.length,
          .test_start = test.start,
          .test_length = test.length,
          .stage = MeteorStage::paraphrase};
}

// Calls match(source, place) for each phrase of `sources` and each place in `text` that holds one
// of its paraphrases.
template <class Match>
void for_each_paraphrase(const PreparedText& sources, const PreparedText& text,
                         const MeteorData& data, Match&& match) {
  for (const MeteorPhrase& source : sources.phrases())
    for (const uint32_t paraphrase : data.paraphrases(source.node))
      for (const MeteorPhrase& place : text.places_of(paraphrase)) match(source, place);
}

bool is_same_text(const PreparedText& a, const PreparedText& b) {
  return a.length() == b.length() &&
         std::ranges::equal(a.words(), b.words(), {}, &MeteorWord::text, &MeteorWord::text);
}

Matches phrase_matches(const PreparedText& reference, const PreparedText& test, Lengths lengths,
                       const MeteorData& data) {
  Matches matches;
  const auto add = [&](const MeteorPhrase& r, const MeteorPhrase& t) {
    if (r.start + r.length <= lengths.reference && t.start + t.length <= lengths.test)
      matches.push_back(phrase_match(r, t));
  };
  for_each_paraphrase(reference, test, data, add);
  for_each_paraphrase(test, reference, data,
                      [&](const MeteorPhrase& t, const MeteorPhrase& r) { add(r, t); });
  std::ranges::stable_sort(matches, {}, &MeteorMatch::start);
  return matches;
}

}  // namespace

MeteorCandidates::MeteorCandidates(const PreparedText& reference, const PreparedText& test,
                                   const MeteorData& data)
    : offsets_{0} {
  const Lengths lengths = matched_lengths(reference, test);
  test_length_ = lengths.test;
  const bool only_exact = is_same_text(reference, test);
  const Matches phrases = only_exact ? Matches() : phrase_matches(reference, test, lengths, data);
  auto phrase = phrases.begin();
  for (size_t position = 0; position < lengths.reference; ++position) {
    const WordMatcher words(reference, position, test, lengths.test);
    words.add_exact(matches_);
    if (!only_exact) {
      words.add_stems(matches_);
      words.add_synonyms(matches_);
    }
    for (; phrase != phrases.end() && phrase->start == position; ++phrase)
      matches_.push_back(*phrase);
    offsets_.push_back(static_cast<uint32_t>(matches_.size()));
  }
}

}  // namespace pdvc
