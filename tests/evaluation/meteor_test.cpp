#include "evaluation/meteor.h"

#include <gmock/gmock.h>

#include "base/parallel.h"
#include "evaluation/meteor_align.h"
#include "evaluation/meteor_normalize.h"
#include "evaluation/meteor_synonyms.h"
#include "evaluation/stemmer.h"
#include "support/golden_rows.h"
#include "support/meteor_files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Small data of our own, so that these tests need no download.
class Meteor : public testing::Test {
 protected:
  std::vector<std::string> words(std::string_view text) const { return meteor_words(text, data_); }
  MeteorCandidates candidates(const char* reference, const char* test) const {
    return {PreparedText(reference, data_), PreparedText(test, data_), data_};
  }
  MeteorStatistics statistics(const char* reference, const char* test) const {
    return scorer_.statistics(scorer_.prepare(reference), scorer_.prepare(test));
  }

  TemporaryFolder folder_;
  MeteorData data_ = MeteorData::open(folder_.write(kMeteorFileName, SmallMeteorFiles().data()));
  MeteorScorer scorer_{data_};
};

std::vector<std::string> in_short(const MeteorCandidates& candidates) {
  std::vector<std::string> result;
  for (const MeteorMatch& m : candidates.all())
    result.push_back(join_text(m.start, "+", m.length, "~", m.test_start, "+", m.test_length, " ",
                               "esyp"[static_cast<size_t>(m.stage)]));
  return result;
}

std::array<int64_t, 23> numbers_of(const Json& row) {
  std::array<int64_t, 23> result{};
  if (row.is_array()) return row.get<std::array<int64_t, 23>>();
  std::istringstream text(row.get<std::string>());  // "17.0 6.0 ..." as the original prints
  for (int64_t& number : result) {
    double value = -1;
    text >> value;
    number = static_cast<int64_t>(value);
  }
  return result;
}

// How many of the rows [references, hypothesis, statistics, score] come out otherwise.
int64_t differing(const MeteorScorer& scorer, const Json& rows) {
  int64_t count = 0;
  for (const Json& row : rows) {
    std::vector<PreparedText> references;
    for (const Json& text : row.at(0))
      references.push_back(scorer.prepare(text.get<std::string>()));
    const MeteorStatistics got =
        scorer.best_statistics(references, scorer.prepare(row.at(1).get<std::string>()));
    const double error = std::abs(meteor_score(got) - row.at(3).get<double>());
    if (got.numbers() == numbers_of(row.at(2)) && error <= 1e-9) continue;
    if (++count <= 5) ADD_FAILURE() << row.dump() << "\n  got a score of " << meteor_score(got);
  }
  return count;
}

}  // namespace

TEST_F(Meteor, LeavesPlainWordsAlone) {
  EXPECT_THAT(words(" A man  RUNS 10 "), ElementsAre("a", "man", "runs", "10"));
  EXPECT_THAT(words(""), IsEmpty());
  EXPECT_THAT(words("  "), IsEmpty());
}

TEST_F(Meteor, SetsPunctuationOff) {
  EXPECT_THAT(words("a (b) c!d $5"), ElementsAre("a", "(", "b", ")", "c", "!", "d", "$", "5"));
  EXPECT_THAT(words("so...then .."), ElementsAre("so", "...", "then", ".."));
  EXPECT_THAT(words("1,000 a,b 3,c"), ElementsAre("1,000", "a", ",", "b", "3", ",", "c"));
  EXPECT_THAT(words("``so''"), ElementsAre("\"", "so", "\""));
}

TEST_F(Meteor, OpensDashesOnceFromLeftToRight) {
  EXPECT_THAT(words("t-shirt jack-o-lantern"), ElementsAre("t", "shirt", "jack", "o-lantern"));
  EXPECT_THAT(words("a -- b -c"), ElementsAre("a", "-", "b", "-c"));
}

TEST_F(Meteor, SplitsApostrophesAsInEnglish) {
  EXPECT_THAT(words("it's dogs' 90's 'em"),
              ElementsAre("it", "'s", "dogs", "'", "90", "'s", "'", "em"));
}

TEST_F(Meteor, SplitsAFinalDotUnlessItBelongsToTheWord) {
  EXPECT_THAT(words("He ran."), ElementsAre("he", "ran", "."));
  EXPECT_THAT(words("the U.S. Now"), ElementsAre("the", "us", "now"));
  EXPECT_THAT(words("Mr. Fox vs. Wolf"), ElementsAre("mr.", "fox", "vs.", "wolf"));
  EXPECT_THAT(words("end. then End. Then"), ElementsAre("end.", "then", "end", ".", "then"));
  EXPECT_THAT(words("No. 5 No. X"), ElementsAre("no.", "5", "no", ".", "x"));
}

TEST_F(Meteor, TakesANoBreakSpaceForASpaceAndLowersAllLetters) {
  EXPECT_THAT(words("5\u00a01/2 \u00c9T\u00c9"), ElementsAre("5", "1", "/", "2", "\u00e9t\u00e9"));
}

TEST(Stemmer, IsTheOneThatMeteorWasPublishedWith) {
  Stemmer stemmer;
  EXPECT_EQ(stemmer.stem("adding"), "ad");
  EXPECT_EQ(stemmer.stem("running"), "run");
  EXPECT_EQ(stemmer.stem(""), "");
  EXPECT_EQ(stemmer.stem(std::string(1 << 20, 'x')).size(), size_t{1} << 20);
}

TEST_F(Meteor, FindsSynonymSetsOfAWordAndItsBaseForm) {
  const auto sets = [&](const char* word) {
    return meteor_synonym_sets(word, data_.find_word(word), data_);
  };
  EXPECT_THAT(sets("man"), ElementsAre(101, 102));
  EXPECT_THAT(sets("wolves"), ElementsAre(103));   // by the list of exceptions
  EXPECT_THAT(sets("fellows"), ElementsAre(102));  // by a rule
  EXPECT_THAT(sets("loping"), ElementsAre(104));   // by the rule that gives "lope"
  EXPECT_THAT(sets("mans"), ElementsAre(101, 102));
  EXPECT_THAT(sets("zebra"), IsEmpty());
  EXPECT_THAT(sets("manss"), IsEmpty());
}

TEST_F(Meteor, OrdersCandidatesByStageThenPosition) {
  EXPECT_THAT(in_short(candidates("man", "fellow man mans man")),
              ElementsAre("0+1~1+1 e", "0+1~3+1 e", "0+1~2+1 s", "0+1~0+1 y", "0+1~2+1 y"));
}

TEST_F(Meteor, FindsParaphrasesInBothDirections) {
  EXPECT_THAT(in_short(candidates("many", "a lot of")), ElementsAre("0+1~0+3 p", "0+1~0+3 p"));
  EXPECT_THAT(in_short(candidates("large", "big")), ElementsAre("0+1~0+1 p"));
  EXPECT_THAT(in_short(candidates("a lot of men", "x a number of")),
              ElementsAre("0+1~1+1 e", "0+3~1+3 p", "2+1~3+1 e"));
}

TEST_F(Meteor, MatchesOnlyEqualWordsInEqualTexts) {
  EXPECT_THAT(in_short(candidates("run ran", "run ran")), ElementsAre("0+1~0+1 e", "1+1~1+1 e"));
}

TEST_F(Meteor, PrefersMatchesInOneChunk) {
  const MeteorAlignment alignment = align(candidates("the dog x", "the cat the dog"));
  EXPECT_EQ(alignment.chunks, 1);
  ASSERT_EQ(alignment.matches.size(), 2u);
  EXPECT_EQ(alignment.matches[0].test_start, 2u);
}

TEST_F(Meteor, CountsAChunkForEachRun) {
  EXPECT_EQ(align(candidates("a b c d", "c d a b")).chunks, 2);
  EXPECT_EQ(align(candidates("a b", "b a")).chunks, 2);
  EXPECT_EQ(align(candidates("a x b", "a b")).chunks, 2);
  EXPECT_EQ(align(candidates("a b", "a b")).chunks, 1);
  EXPECT_EQ(align(candidates("a b", "c d")).chunks, 0);
  EXPECT_EQ(align(candidates("", "c d")).chunks, 0);
}

TEST_F(Meteor, UsesNoWordTwice) {
  const MeteorAlignment alignment = align(candidates("dog dog dog", "dog x dog"));
  EXPECT_EQ(alignment.matches.size(), 2u);
}

TEST_F(Meteor, PrefersTwoExactWordsToAPhrase) {
  for (const MeteorMatch& match : align(candidates("a lot of many", "a lot of dogs")).matches)
    EXPECT_EQ(match.stage, MeteorStage::exact);
}

TEST_F(Meteor, AlignsTextsOfMoreThanSixtyFourWords) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "w" + std::to_string(i) + " ";
  const auto counted = statistics((text + "x").c_str(), ("y " + text).c_str());
  EXPECT_EQ(counted.test_matches, 100);
  EXPECT_EQ(counted.chunks, 1);
}

TEST_F(Meteor, CountsContentAndFunctionWords) {
  const MeteorStatistics s = statistics("the man ran", "a fellow is runs");
  EXPECT_THAT(s.numbers(), ElementsAre(4, 3, 2, 1, /*exact*/ 0, 0, 0, 0, /*stem*/ 0, 0, 0, 0,
                                       /*synonym*/ 2, 2, 0, 0, /*paraphrase*/ 0, 0, 0, 0,
                                       /*chunks, matches*/ 2, 2, 2));
}

TEST(MeteorScore, IsTheFormula) {
  MeteorStatistics s;
  s.test_length = 4;
  s.reference_length = 3;
  s.test_function_words = 2;
  s.reference_function_words = 1;
  s.matched[0] = {
      .test_content = 2, .reference_content = 2, .test_function = 0, .reference_function = 0};
  s.chunks = 2;
  s.test_matches = s.reference_matches = 2;
  // P = 1.5 / 2, R = 1.5 / 1.75, two chunks for two matches: a penalty of 0.6
  const double mean = 1 / (0.15 / 0.75 + 0.85 / (1.5 / 1.75));
  EXPECT_NEAR(meteor_score(s), mean * 0.4, 1e-15);
}

TEST_F(Meteor, ScoresEqualTextsOneAndStrangersZero) {
  EXPECT_DOUBLE_EQ(meteor_score(statistics("a man runs", "a man runs")), 1);
  EXPECT_EQ(meteor_score(statistics("a man", "zebra")), 0);
  EXPECT_EQ(meteor_score(statistics("", "")), 0);
  EXPECT_EQ(meteor_score(statistics("a", "")), 0);
}

TEST_F(Meteor, TakesTheBestReference) {
  const PreparedText test = scorer_.prepare("a man runs");
  std::vector<PreparedText> references;
  EXPECT_EQ(meteor_score(scorer_.best_statistics(references, test)), 0);
  for (const char* text : {"zebra", "a man runs", "a man"})
    references.push_back(scorer_.prepare(text));
  EXPECT_DOUBLE_EQ(meteor_score(scorer_.best_statistics(references, test)), 1);
  EXPECT_EQ(scorer_.best_statistics({references.data(), 1}, test).reference_length, 1);
}

TEST_F(Meteor, SumsASetWithoutTheChunkOfAPerfectPair) {
  const MeteorStatistics perfect = statistics("a man runs", "a man runs");
  EXPECT_EQ(perfect.chunks, 1);
  MeteorStatistics set;
  add_to_set(set, perfect);
  EXPECT_EQ(set.chunks, 0);
  EXPECT_DOUBLE_EQ(meteor_score(set), 1);
  add_to_set(set, statistics("a b", "b a"));
  EXPECT_THAT(set.numbers(),
              ElementsAre(5, 5, 2, 2, 3, 3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 5, 5));
}

TEST_F(Meteor, MayBeUsedFromManyThreads) {
  const PreparedText reference = scorer_.prepare("a lot of wolves ran over the big man");
  const double alone = meteor_score(scorer_.statistics(reference, scorer_.prepare("many ran")));
  std::vector<double> scores(200);
  parallel_for(4, 200, [&](int64_t i) {
    scores[static_cast<size_t>(i)] =
        meteor_score(scorer_.statistics(reference, scorer_.prepare("many ran")));
  });
  for (const double score : scores) EXPECT_EQ(score, alone);
}

TEST_F(Meteor, MatchesAShortTextWithAVeryLongOne) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "w" + std::to_string(i) + " ";
  EXPECT_EQ(statistics("w2998 w2999", text.c_str()).test_matches, 2);
  EXPECT_EQ(statistics(text.c_str(), "w2998 w2999").test_matches, 2);
}

TEST_F(Meteor, EndsOnHostileTexts) {
  for (const std::string piece : {"man ", "a", ".", "-", "a.", "\xff"}) {
    std::string text;
    while (text.size() < 1 << 18) text += piece;
    const PreparedText giant = scorer_.prepare(text), other = scorer_.prepare("man " + text);
    EXPECT_LE(scorer_.statistics(giant, other).reference_matches, 1000);
  }
}

TEST(MeteorGolden, AgreesOnSomePairs) {
  PDVC_NEEDS_METEOR_DATA();
  const MeteorScorer scorer(MeteorData::open_cached());
  const Json golden = read_golden(test_file("evaluation/meteor.json"));
  EXPECT_GE(golden.at("meteor").size() + golden.at("odd").size(), 300u);
  EXPECT_EQ(differing(scorer, golden.at("meteor")), 0);
  EXPECT_EQ(differing(scorer, golden.at("odd")), 0);
}

TEST(MeteorGolden, AgreesOnAllPairs) {
  PDVC_NEEDS_METEOR_DATA();
  PDVC_NEEDS_SHARED("golden/evaluation/meteor.json.gz");
  const MeteorScorer scorer(MeteorData::open_cached());
  const Json rows = read_golden(shared_file("golden/evaluation/meteor.json.gz"));
  EXPECT_EQ(rows.size(), 26700u);
  EXPECT_EQ(differing(scorer, rows), 0);
}

TEST(MeteorGolden, AgreesOnAllOddPairs) {
  PDVC_NEEDS_METEOR_DATA();
  PDVC_NEEDS_SHARED("golden/evaluation/meteor_odd.json.gz");
  const MeteorScorer scorer(MeteorData::open_cached());
  const Json rows = read_golden(shared_file("golden/evaluation/meteor_odd.json.gz"));
  EXPECT_EQ(rows.size(), 5500u);
  EXPECT_EQ(differing(scorer, rows), 0);
}

}  // namespace pdvc
