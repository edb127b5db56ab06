// BLEU, ROUGE-L and CIDEr on pairs, against counts made by hand and plain versions.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include "evaluation/bleu.h"
#include "evaluation/cider.h"
#include "evaluation/rouge.h"

namespace pdvc {
namespace {

using Text = std::vector<std::string>;

Text split(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// Sentences and pairs from words.
struct Set {
  SentenceSet sentences;
  std::vector<SentencePair> pairs;

  void add(const Text& references, const std::string& hypothesis) {
    SentencePair pair{.hypothesis = sentences.add(hypothesis)};
    for (const std::string& reference : references)
      pair.references.push_back(sentences.add(reference));
    pairs.push_back(pair);
  }
};

Set one(const Text& references, const std::string& hypothesis) {
  Set set;
  set.add(references, hypothesis);
  return set;
}

BleuScores bleu(const Set& set) { return bleu_scores(bleu_statistics(set.sentences, set.pairs)); }
double rouge(const Set& set) { return rouge_l(set.sentences, set.pairs.at(0)); }

// Sentences of few different words, so that they share many n-grams.
std::string random_text(std::mt19937& random, size_t longest) {
  std::string text;
  const size_t length = random() % (longest + 1);
  for (size_t i = 0; i < length; ++i)
    text += (text.empty() ? "" : " ") + std::to_string(random() % 6);
  return text;
}

std::map<Text, double> counts(const std::string& text, size_t order) {
  const Text words = split(text);
  std::map<Text, double> result;
  for (size_t i = 0; i + order <= words.size(); ++i) ++result[Text(&words[i], &words[i] + order)];
  return result;
}

// The definition, n-gram by n-gram.
double plain_cider(const std::vector<std::pair<Text, std::string>>& set, size_t which) {
  const auto& [references, hypothesis] = set[which];
  double score = 0;
  for (size_t order = 1; order <= 4; ++order) {
    const auto weighted = [&](const std::string& text) {
      std::map<Text, double> weights = counts(text, order);
      for (auto& [ngram, weight] : weights) {
        double frequency = 0;
        for (const auto& pair : set) {
          bool has = false;
          for (const std::string& reference : pair.first)
            has = has || counts(reference, order).contains(ngram);
          frequency += has;
        }
        weight *= std::log(static_cast<double>(set.size())) - std::log(std::max(1.0, frequency));
      }
      return weights;
    };
    const auto norm = [](const std::map<Text, double>& weights) {
      double sum = 0;
      for (const auto& [ngram, weight] : weights) sum += weight * weight;
      return std::sqrt(sum);
    };
    for (const std::string& reference : references) {
      const auto h = weighted(hypothesis), r = weighted(reference);
      double sum = 0;
      for (const auto& [ngram, weight] : h)
        if (r.contains(ngram)) sum += std::min(weight, r.at(ngram)) * r.at(ngram);
      if (norm(h) != 0 && norm(r) != 0) sum /= norm(h) * norm(r);
      const auto bigrams = [](const std::string& text) {
        return std::max(0.0, static_cast<double>(split(text).size()) - 1);
      };
      const double d = bigrams(hypothesis) - bigrams(reference);
      score += sum * std::exp(-d * d / 72) / 4 / static_cast<double>(references.size()) * 10;
    }
  }
  return score;
}

size_t plain_common_subsequence(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j)
      table[i + 1][j + 1] =
          a[i] == b[j] ? table[i][j] + 1 : std::max(table[i][j + 1], table[i + 1][j]);
  return table[a.size()][b.size()];
}

}  // namespace

TEST(SentenceSet, NumbersTheSameTextOnce) {
  SentenceSet sentences;
  EXPECT_EQ(sentences.add("a man runs"), 0);
  EXPECT_EQ(sentences.add(""), 1);
  EXPECT_EQ(sentences.add("a man runs"), 0);
  EXPECT_EQ(sentences.size(), 2);
  EXPECT_EQ(sentences.text(0), "a man runs");
  EXPECT_TRUE(sentences.words(1).empty());
}

TEST(SentenceSet, CountsNgramsOfEveryOrder) {
  SentenceSet sentences;
  const size_t s = sentences.add("a b a b a");
  const auto total = [&](int order) {
    uint32_t sum = 0;
    for (const NgramCount& count : sentences.ngrams(s, order)) sum += count.count;
    return sum;
  };
  EXPECT_EQ(sentences.ngrams(s, 1).size(), 2);  // a, b
  EXPECT_EQ(sentences.ngrams(s, 2).size(), 2);  // a b, b a
  EXPECT_EQ(sentences.ngrams(s, 3).size(), 2);
  EXPECT_EQ(sentences.ngrams(s, 4).size(), 2);
  EXPECT_EQ(total(1), 5);
  EXPECT_EQ(total(4), 2);
  EXPECT_EQ(sentences.ngrams(sentences.add("b"), 2).size(), 0);
}

TEST(SentenceSet, CutsWordsButNotTokensAtANoBreakSpace) {
  SentenceSet sentences;
  const size_t s = sentences.add("1\xc2\xa0\x31/2 cups");
  EXPECT_EQ(sentences.tokens(s).size(), 2);
  EXPECT_EQ(sentences.words(s).size(), 3);
}

TEST(SentenceSet, NumbersManyNgramsWithoutMixingThemUp) {
  PairNumbers numbers;
  for (uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(numbers.number(i % 71, i), i);
  for (uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(numbers.number(i % 71, i), i);
  EXPECT_EQ(numbers.size(), 5000);
}

TEST(Bleu, IsOneForEqualText) {
  for (const double score : bleu(one({"a man runs very fast"}, "a man runs very fast")))
    EXPECT_NEAR(score, 1, 1e-8);
}

TEST(Bleu, ClipsMatchesAndPunishesBrevity) {
  const Set set = one({"the cat sat on the mat"}, "the the the cat");
  const BleuStatistics s = bleu_statistics(set.sentences, set.pairs[0]);
  EXPECT_THAT(s.correct, testing::ElementsAre(3, 1, 0, 0));
  EXPECT_THAT(s.guessed, testing::ElementsAre(4, 3, 2, 1));
  EXPECT_NEAR(bleu(set)[0], 0.75 * std::exp(1 - 6.0 / 4), 1e-8);
  EXPECT_NEAR(bleu(set)[1], std::sqrt(0.75 / 3) * std::exp(1 - 6.0 / 4), 1e-8);
}

TEST(Bleu, TakesTheMostFrequentOfTheReferencesAndTheClosestLength) {
  const Set set = one({"a a b", "b b b b b"}, "a b b b");
  const BleuStatistics s = bleu_statistics(set.sentences, set.pairs[0]);
  EXPECT_EQ(s.correct[0], 4);
  EXPECT_EQ(s.reference_length, 3);  // as close as 5, and shorter
}

TEST(Bleu, OfNothingIsZeroButDefined) {
  EXPECT_NEAR(bleu(one({"a b"}, ""))[3], 0, 1e-12);
  EXPECT_TRUE(std::isfinite(bleu(one({""}, ""))[3]));
  EXPECT_TRUE(std::isfinite(bleu(Set{})[0]));
}

TEST(Rouge, WeighsRecallMoreThanPrecision) {
  // Two words in common: "a runs"; precision 2/2, recall 2/4.
  EXPECT_NEAR(rouge(one({"a man runs fast"}, "a runs")), 2.44 * 0.5 / (0.5 + 1.44), 1e-12);
}

TEST(Rouge, TakesPrecisionAndRecallFromDifferentReferences) {
  EXPECT_NEAR(rouge(one({"a", "a b c d x y z"}, "a b c d")), 2.44 / (1 + 1.44),
              1e-12);  // precision 1 by the second, recall 1 by the first
}

TEST(Rouge, CountsAnEmptyTextAsOneEmptyWord) {
  EXPECT_EQ(rouge(one({""}, "")), 1);
  EXPECT_EQ(rouge(one({"a"}, "")), 0);
  EXPECT_EQ(rouge(one({""}, "a")), 0);
}

TEST(Rouge, FindsTheLengthThatThePlainTableFinds) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const uint32_t kinds = round % 2 ? 3 : 60;
    std::vector<uint32_t> a(random() % 300), b(random() % 300);
    for (uint32_t& word : a) word = random() % kinds;
    for (uint32_t& word : b) word = random() % kinds;
    ASSERT_EQ(longest_common_subsequence(a, b), plain_common_subsequence(a, b)) << round;
  }
}

TEST(Rouge, ComparesAnOrdinaryTextWithOneOfAMillionWords) {
  std::vector<uint32_t> words(1'000'000);
  for (uint32_t i = 0; i < words.size(); ++i) words[i] = i % 50'021;
  EXPECT_EQ(longest_common_subsequence(words, std::vector<uint32_t>{7, 3, 1, 50'020, 2}), 5);
  EXPECT_EQ(longest_common_subsequence(words, words), words.size());
}

TEST(Cider, AgreesWithItsDefinition) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::pair<Text, std::string>> texts;
    Set set;
    for (int i = 0; i < 7; ++i) {
      Text references = {random_text(random, 9)};
      if (random() % 2) references.push_back(random_text(random, 9));
      texts.emplace_back(references, random_text(random, 9));
      set.add(texts.back().first, texts.back().second);
    }
    const std::vector<double> scores = cider_scores(set.sentences, set.pairs);
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_NEAR(scores[i], plain_cider(texts, i), 1e-12);
  }
}

TEST(Cider, OfASinglePairIsZeroBecauseNothingIsRare) {
  const Set set = one({"a man runs"}, "a man runs");
  EXPECT_THAT(cider_scores(set.sentences, set.pairs), testing::ElementsAre(0));
  EXPECT_TRUE(cider_scores(set.sentences, {}).empty());
}

TEST(Cider, IsTenForEqualRareText) {
  Set set;
  set.add({"a man runs very fast"}, "a man runs very fast");
  set.add({"two dogs sleep under trees"}, "cats");
  EXPECT_NEAR(cider_scores(set.sentences, set.pairs)[0], 10, 1e-12);
}

}  // namespace pdvc
