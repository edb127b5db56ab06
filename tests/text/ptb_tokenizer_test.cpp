#include "text/ptb_tokenizer.h"

#include <gmock/gmock.h>

#include "support/golden_rows.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += (text.empty() ? "" : " ") + token;
  return text;
}

// How many rows [raw, tokens] differ.
int64_t differing(const Json& rows) {
  int64_t count = 0;
  for (const Json& row : rows) {
    const auto raw = row.at(0).get<std::string>(), expected = row.at(1).get<std::string>();
    const std::string got = joined(ptb_tokens(raw));
    if (got == expected) continue;
    if (++count <= 10) ADD_FAILURE() << raw << "\n  expected " << expected << "\n  got " << got;
  }
  return count;
}

std::string repeated(std::string_view piece, size_t size) {
  std::string text;
  while (text.size() < size) text += piece;
  return text;
}

}  // namespace

TEST(Tokenizer, SplitsContractions) {
  EXPECT_THAT(
      ptb_tokens("He's gonna say don't, I cannot."),
      ElementsAre("he", "'s", "gon", "na", "say", "do", "n't", ",", "i", "can", "not", "."));
}

TEST(Tokenizer, NamesBracketsAndTurnsQuotes) {
  EXPECT_THAT(ptb_tokens("\"(a) [b] {c}\""), ElementsAre("''", "-lrb-", "a", "-rrb-", "-lsb-", "b",
                                                         "-rsb-", "-lcb-", "c", "-rcb-", "''"));
  EXPECT_THAT(ptb_tokens("\"go\" 'now'"), ElementsAre("``", "go", "''", "`", "now", "'"));
}

TEST(Tokenizer, SeesASentenceEndAfterAnAbbreviationAtTheEnd) {
  EXPECT_THAT(ptb_tokens("etc."), ElementsAre("etc.", "."));
  EXPECT_THAT(ptb_tokens("etc. and"), ElementsAre("etc.", "and"));
  EXPECT_THAT(ptb_tokens("Mr."), ElementsAre("mr."));
}

TEST(Tokenizer, KeepsNumbersAddressesAndTagsWhole) {
  EXPECT_THAT(ptb_tokens("1,000.5 10:30 12/25/2010 3rd a@b.org http://a.b/c?d=e <br/> :-)"),
              ElementsAre("1,000.5", "10:30", "12/25/2010", "3rd", "a@b.org", "http://a.b/c?d=e",
                          "<br/>", ":--rrb-"));
}

TEST(Tokenizer, TakesOtherCharactersAndLineBreaksForSpaces) {
  EXPECT_THAT(ptb_tokens("caf\u00e9 \u2603a\nb\r\nc\xff"
                         "d"),
              ElementsAre("caf", "a", "b", "c", "d"));
  EXPECT_THAT(ptb_tokens(std::string_view("a\0b\x01 \x7f", 6)), ElementsAre("a", "b"));
}

TEST(Tokenizer, FindsNothingInNothing) {
  EXPECT_THAT(ptb_tokens(""), IsEmpty());
  EXPECT_THAT(ptb_tokens(" \t\n \u00a0"), IsEmpty());
}

TEST(Tokenizer, JoinsAFractionByANoBreakSpace) {
  EXPECT_THAT(ptb_tokens("5 1/2 cups"), ElementsAre("5\u00a01/2", "cups"));
}

TEST(Tokenizer, DropsPunctuationForScores) {
  EXPECT_EQ(evaluation_text("A man, (old) \"runs\" -- fast... ok?! No; 'yes'."),
            "a man -lrb- old -rrb- runs fast ok ?! no yes");
  EXPECT_EQ(evaluation_text("..."), "");
}

TEST(Tokenizer, TakesALetterForAWordWhenASentenceBeginsAfterIt) {
  EXPECT_EQ(evaluation_text("a plan B. The man runs."), "a plan b the man runs");
  EXPECT_EQ(evaluation_text("by J. Smith."), "by j. smith");
  EXPECT_EQ(evaluation_text("in the U.S. The man runs."), "in the u.s. the man runs");
}

TEST(Tokenizer, LooksAtTheNextCaptionOfAList) {
  EXPECT_EQ(evaluation_text("of triple A."), "of triple a.");
  EXPECT_EQ(evaluation_text("of triple A.", "  The man"), "of triple a");
  EXPECT_EQ(evaluation_text("of triple A.", "Then, a man"), "of triple a.");
  EXPECT_EQ(evaluation_text("of triple A.", "a man"), "of triple a.");
  EXPECT_EQ(evaluation_text("of triple A.", ""), "of triple a.");
  EXPECT_EQ(evaluation_text("a work of art.", "2 men"), "a work of art.");
  EXPECT_EQ(evaluation_text("a work of art.", "Two men"), "a work of art");
  for (const char* open : {"of triple A.", "a work of ART. ", "x."})
    EXPECT_TRUE(depends_on_next(open));
  for (const char* closed : {"", ".", "A", "a man.", "etc."}) EXPECT_FALSE(depends_on_next(closed));
}

// Each of these begins, at every place, something long that never comes to its end. Reading it all
// again from each place would take hours.
TEST(Tokenizer, ReadsHostileTextInLinearTime) {
  for (const char* piece :
       {"a", "a,", "1a.", "a/", "<a ", "<a b=\"", "a;", "Inc. <a ", "'", "\x01"})
    EXPECT_NO_THROW(ptb_tokens(repeated(piece, 1 << 20))) << piece;
  EXPECT_EQ(ptb_tokens(repeated("a", 10 << 20)).size(), 1u);
}

TEST(Tokenizer, AgreesWithTheOriginalOnSomeCaptions) {
  const Json golden = read_golden(test_file("evaluation/tokens.json"));
  EXPECT_GE(golden.at("captions").size() + golden.at("odd").size(), 600u);
  EXPECT_EQ(differing(golden.at("captions")), 0);
  EXPECT_EQ(differing(golden.at("odd")), 0);
}

TEST(Tokenizer, AgreesWithTheOriginalOnAllCaptions) {
  PDVC_NEEDS_SHARED("golden/evaluation/tokens.json.gz");
  const Json golden = read_golden(shared_file("golden/evaluation/tokens.json.gz"));
  EXPECT_EQ(golden.at("captions").size(), 108717u);
  EXPECT_EQ(differing(golden.at("captions")), 0);
  EXPECT_EQ(differing(golden.at("odd")), 0);
}

}  // namespace pdvc
