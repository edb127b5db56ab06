#include <gmock/gmock.h>

#include "support/files.h"
#include "text/caption.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

Vocabulary small() { return Vocabulary({"a", "man", "runs", "UNK"}); }

std::string refusal(const std::string& json) {
  return error_of([&] { Vocabulary::parse(json, "v.json"); });
}

}  // namespace

TEST(Vocabulary, KnowsBothDirections) {
  const auto v = Vocabulary::parse(
      R"({"ix_to_word": {"2": "man", "1": "a"}, "word_to_ix": {"a": 1, "man": 2}})", "v.json");
  EXPECT_EQ(v.size(), 2);
  EXPECT_EQ(v.word(2), "man");
  EXPECT_EQ(v.id("a"), 1);
  EXPECT_EQ(v.id("zebra"), 2);  // the last entry stands for unknown words
}

TEST(Vocabulary, ReadsAModelFilesArray) {
  EXPECT_EQ(Vocabulary::parse(R"(["a", "b"])", "v.json").id("b"), 2);
}

TEST(Vocabulary, RefusesSkippedIds) {
  EXPECT_EQ(refusal(R"({"ix_to_word": {"1": "a", "3": "c"}})"),
            "v.json: ix_to_word skips id 2 (expected 1 to 2 without a gap)");
  EXPECT_EQ(refusal(R"({"ix_to_word": {"1": "a", "99999999999": "c"}})"),
            "v.json: ix_to_word skips id 2 (expected 1 to 2 without a gap)");
}

TEST(Vocabulary, RefusesWhatIsNotOne) {
  EXPECT_EQ(refusal("{}"),
            "v.json: is not a vocabulary (expected \"ix_to_word\" or a list of words)");
  EXPECT_EQ(refusal("[]"), "v.json: holds no words");
  EXPECT_EQ(refusal("[1]"), "v.json: expected a list of words, got 1");
  EXPECT_EQ(refusal(R"({"ix_to_word": {"0": "a"}})"),
            "v.json: ix_to_word: id 0 is kept for the end of a sentence (expected ids from 1)");
  EXPECT_EQ(refusal(R"({"ix_to_word": {"one": "a"}})"), "v.json: ix_to_word: \"one\" is not an id");
  EXPECT_EQ(refusal(R"({"ix_to_word": {"1": 5}})"),
            "v.json: ix_to_word: \"1\": expected a word, got 5");
  EXPECT_EQ(refusal(R"({"ix_to_word": {"1": "a"}, "word_to_ix": {"b": 1}})"),
            "v.json: word_to_ix gives \"b\" the id 1, ix_to_word does not");
}

TEST(Vocabulary, ReadsThePublishedFiles) {
  PDVC_NEEDS_SHARED("data/anet/vocabulary_activitynet.json");
  const auto anet = Vocabulary::read(shared_file("data/anet/vocabulary_activitynet.json"));
  EXPECT_EQ(anet.size(), 5747);
  EXPECT_EQ(anet.word(5747), "UNK");
  EXPECT_EQ(Vocabulary::read(shared_file("data/yc2/vocabulary_youcook2.json")).size(), 1607);
}

TEST(Caption, LosesPunctuationAndCase) {
  EXPECT_THAT(caption_words(" A man, (old) RUNS: \"fast\"/slow_now-then.\\n Don't\\stop; ok?! "),
              ElementsAre("a", "man", "(old)", "runs", "fast", "slow", "now", "then", "don't",
                          "stop", "ok"));
}

TEST(Caption, LowersAndSplitsAsPythonDoes) {
  EXPECT_THAT(caption_words("CAFÉ\u00a0ÀLA\u2003ЖУК"), ElementsAre("café", "àla", "жук"));
}

TEST(Caption, BecomesIdsBetweenZeros) {
  EXPECT_THAT(caption_to_ids("A man flies.", small(), 30), ElementsAre(0, 1, 2, 4, 0));
  EXPECT_THAT(caption_to_ids("", small(), 30), ElementsAre(0, 0));
  EXPECT_THAT(caption_to_ids("a a a a", small(), 4),
              ElementsAre(0, 1, 1, 0));  // cut to longest - 2
}

TEST(Caption, ComesBackWithAFullStop) {
  const std::vector<int64_t> ids = {1, 2, 3, 0, 1};
  EXPECT_EQ(ids_to_caption(ids, small()), "a man runs.");
  EXPECT_EQ(ids_to_caption(std::vector<int64_t>{0, 1}, small()), "");
  EXPECT_EQ(ids_to_caption({}, small()), "");
}

}  // namespace pdvc
