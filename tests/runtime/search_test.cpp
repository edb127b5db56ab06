#include "runtime/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Words = std::vector<int64_t>;
// Probabilities of 0, 1, 2 ... after some words of a caption.
using Language = std::function<std::vector<double>(int64_t caption, const Words& before)>;

// Captions that say what a language makes likely.
class FakeDecoding : public Decoding {
 public:
  FakeDecoding(int64_t captions, Language language) : language_(std::move(language)) {
    for (int64_t i = 0; i < captions; ++i) rows_.push_back({i, {}});
  }

  void advance(std::span<const int64_t> words, int64_t best,
               std::vector<Candidate>& candidates) override {
    ASSERT_EQ(words.size(), rows_.size());
    candidates.clear();
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (words[i] != 0) rows_[i].words.push_back(words[i]);
      append_best(language_(rows_[i].caption, rows_[i].words), best, candidates);
    }
    ++steps;
  }

  void keep(std::span<const int64_t> from) override {
    std::vector<Row> kept;
    for (const int64_t row : from) kept.push_back(rows_.at(static_cast<size_t>(row)));
    rows_ = std::move(kept);
    most_rows = std::max(most_rows, rows_.size());
  }

  int steps = 0;
  size_t most_rows = 0;

 private:
  struct Row {
    int64_t caption;
    Words words;
  };

  static void append_best(const std::vector<double>& probabilities, int64_t best,
                          std::vector<Candidate>& candidates) {
    std::vector<Candidate> all;
    for (size_t word = 0; word < probabilities.size(); ++word)
      all.push_back(
          {static_cast<int64_t>(word), static_cast<float>(std::log(probabilities[word]))});
    std::ranges::stable_sort(all, std::ranges::greater(), &Candidate::log_probability);
    all.resize(std::min(all.size(), static_cast<size_t>(best)));
    candidates.insert(candidates.end(), all.begin(), all.end());
  }

  Language language_;
  std::vector<Row> rows_;
};

// The same for all captions: what follows which words; elsewhere sentences end.
Language book(std::map<Words, std::vector<double>> pages) {
  return [pages = std::move(pages)](int64_t, const Words& before) {
    const auto at = pages.find(before);
    return at == pages.end() ? std::vector<double>{1, 1e-9, 1e-9} : at->second;
  };
}

// Probabilities without rhyme or reason, always the same.
std::vector<double> babble(int64_t caption, const Words& before, size_t words) {
  uint64_t state = 88172645463325252u + static_cast<uint64_t>(caption) * 7919;
  for (const int64_t word : before)
    state = (state ^ static_cast<uint64_t>(word + 1)) * 0x9E3779B97F4A7C15u;
  std::vector<double> probabilities;
  double sum = 0;
  for (size_t i = 0; i < words; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    probabilities.push_back(0.01 + static_cast<double>(state % 1000));
    sum += probabilities.back();
  }
  for (double& p : probabilities) p /= sum;
  return probabilities;
}

Sentence find(const Language& language, const SearchOptions& options) {
  FakeDecoding decoding(1, language);
  return find_sentences(decoding, 1, options).at(0);
}

TEST(Search, TakesTheLikeliestWordEachTimeUntilTheEnd) {
  const Sentence sentence = find(book({{{}, {0.1, 0.3, 0.6}}, {{2}, {0.2, 0.5, 0.3}}}), {});
  EXPECT_THAT(sentence.words, ElementsAre(2, 1));
  EXPECT_NEAR(sentence.log_probability, std::log(0.6) + std::log(0.5), 1e-6);  // without the end's
}

TEST(Search, FindsNothingWhereTheEndIsTheLikeliestBeginning) {
  const Sentence sentence = find(book({{{}, {0.6, 0.3, 0.1}}}), {});
  EXPECT_THAT(sentence.words, IsEmpty());
  EXPECT_EQ(sentence.log_probability, 0);
}

TEST(Search, StopsAtTheLongestSentence) {
  const Language endless = [](int64_t, const Words&) { return std::vector<double>{0.1, 0.5, 0.4}; };
  for (const int64_t beam : {1, 2}) {
    const Sentence sentence = find(endless, {.beam = beam, .longest = 4});
    EXPECT_THAT(sentence.words, ElementsAre(1, 1, 1, 1));
    EXPECT_NEAR(sentence.log_probability, 4 * std::log(0.5), 1e-6);
  }
}

TEST(Search, GivesEachCaptionItsOwnSentenceThoughOthersEndBefore) {
  const Language count_down = [](int64_t caption, const Words& before) {
    const bool ends = std::ssize(before) == 3 - caption;
    return ends ? std::vector<double>{0.9, 0.05, 0.05}
                : std::vector<double>{0.1, caption % 2 ? 0.8 : 0.1, caption % 2 ? 0.1 : 0.8};
  };
  for (const int64_t beam : {1, 3}) {
    FakeDecoding decoding(4, count_down);
    const auto sentences = find_sentences(decoding, 4, {.beam = beam});
    ASSERT_EQ(sentences.size(), 4u);
    EXPECT_THAT(sentences[0].words, ElementsAre(2, 2, 2)) << beam;
    EXPECT_THAT(sentences[1].words, ElementsAre(1, 1)) << beam;
    EXPECT_THAT(sentences[2].words, ElementsAre(2)) << beam;
    EXPECT_THAT(sentences[3].words, IsEmpty()) << beam;
  }
}

TEST(Search, AsksNothingForNoCaptions) {
  FakeDecoding decoding(0, book({}));
  EXPECT_THAT(find_sentences(decoding, 0, {.beam = 3}), IsEmpty());
  EXPECT_EQ(decoding.steps, 0);
}

TEST(Search, StopsAskingWhenAllSentencesHaveEnded) {
  FakeDecoding decoding(2, book({{{}, {0.1, 0.3, 0.6}}}));
  find_sentences(decoding, 2, {});
  EXPECT_EQ(decoding.steps, 2);
}

TEST(Beam, FindsABetterSentenceBehindALessLikelyWord) {
  const Language language = book({{{}, {0.01, 0.5, 0.49}},
                                  {{1}, {0.4, 0.3, 0.3}},
                                  {{2}, {0.05, 0.05, 0.9}},
                                  {{2, 2}, {0.98, 0.01, 0.01}}});
  EXPECT_THAT(find(language, {.beam = 1}).words, ElementsAre(1));
  const Sentence sentence = find(language, {.beam = 2});
  EXPECT_THAT(sentence.words, ElementsAre(2, 2));
  EXPECT_NEAR(sentence.log_probability, std::log(0.49) + std::log(0.9), 1e-6);
}

// The short sentence is likelier as a whole, the long one word for word, its end counted as a word.
TEST(Beam, ComparesSentencesByTheirLogProbabilityAWord) {
  const Language language = book({{{}, {0.02, 0.5, 0.48}},
                                  {{1}, {0.6, 0.2, 0.2}},
                                  {{2}, {0.02, 0.08, 0.9}},
                                  {{2, 2}, {0.6, 0.2, 0.2}}});
  ASSERT_GT(0.5 * 0.6, 0.48 * 0.9 * 0.6);
  ASSERT_LT(std::log(0.5 * 0.6) / 2, std::log(0.48 * 0.9 * 0.6) / 3);
  EXPECT_THAT(find(language, {.beam = 2}).words, ElementsAre(2, 2));
}

// Unlikely ends come early and in numbers: they must not end the search before the likely one.
TEST(Beam, IsNotEndedByPoorEnds) {
  const Language language = [](int64_t, const Words& before) {
    return before.size() == 4 ? std::vector<double>{0.9, 0.05, 0.05}
                              : std::vector<double>{0.1, 0.8, 0.1};
  };
  for (const int64_t beam : {1, 2, 3, 4})
    EXPECT_THAT(find(language, {.beam = beam}).words, ElementsAre(1, 1, 1, 1)) << beam;
}

TEST(Beam, OfOneIsGreedy) {
  constexpr size_t kWords = 6;
  constexpr int64_t kCaptions = 50, kLongest = 8;
  const Language language = [](int64_t caption, const Words& before) {
    return babble(caption, before, kWords);
  };
  FakeDecoding decoding(kCaptions, language);
  const auto sentences = find_sentences(decoding, kCaptions, {.beam = 1, .longest = kLongest});
  for (int64_t caption = 0; caption < kCaptions; ++caption) {
    Words words;
    while (std::ssize(words) < kLongest) {
      const std::vector<double> next = language(caption, words);
      const auto best = std::ranges::max_element(next) - next.begin();
      if (best == 0) break;
      words.push_back(best);
    }
    EXPECT_EQ(sentences[static_cast<size_t>(caption)].words, words);
  }
}

TEST(Beam, NeverHasMoreRowsThanSentencesAskedFor) {
  FakeDecoding decoding(
      5, [](int64_t caption, const Words& before) { return babble(caption, before, 7); });
  find_sentences(decoding, 5, {.beam = 3, .longest = 9});
  EXPECT_GT(decoding.most_rows, 5u);
  EXPECT_LE(decoding.most_rows, 15u);
}

// The best of all sentences there are, by trying them all.
void try_all(const Language& language, int64_t caption, int64_t longest, const Words& words,
             double log_probability, Sentence& best, double& best_score) {
  const std::vector<double> next = language(caption, words);
  for (size_t word = 0; word < next.size(); ++word) {
    const double all = log_probability + std::log(next[word]);
    Words longer = words;
    if (word > 0) longer.push_back(static_cast<int64_t>(word));
    if (word > 0 && std::ssize(longer) < longest) {
      try_all(language, caption, longest, longer, all, best, best_score);
      continue;
    }
    const double score = all / static_cast<double>(words.size() + 1);
    if (score <= best_score) continue;
    best_score = score;
    best = {longer, word > 0 ? all : log_probability};
  }
}

TEST(Beam, WideEnoughFindsTheBestOfAllSentences) {
  constexpr int64_t kCaptions = 20, kLongest = 4;
  const Language language = [](int64_t caption, const Words& before) {
    return babble(caption, before, 3);
  };
  FakeDecoding decoding(kCaptions, language);
  const auto sentences = find_sentences(decoding, kCaptions, {.beam = 100, .longest = kLongest});
  for (int64_t caption = 0; caption < kCaptions; ++caption) {
    Sentence best;
    double best_score = -std::numeric_limits<double>::infinity();
    try_all(language, caption, kLongest, {}, 0, best, best_score);
    EXPECT_EQ(sentences[static_cast<size_t>(caption)].words, best.words);
    EXPECT_NEAR(sentences[static_cast<size_t>(caption)].log_probability, best.log_probability,
                1e-5);
  }
}

}  // namespace
}  // namespace pdvc
