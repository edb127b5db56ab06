#include "text/scanner.h"

#include <gmock/gmock.h>

#include "support/files.h"

namespace pdvc {
namespace {

Scanner::Match match(const Scanner& scanner, std::string_view text, size_t from = 0) {
  return Scanner::Pass(scanner, text).match_at(from);
}

bool matches_all(const std::string& pattern, std::string_view text) {
  return match(Scanner({pattern}), text).length == text.size();
}

}  // namespace

TEST(Scanner, TakesTheLongestMatchAndTheEarlierRuleOnATie) {
  const Scanner scanner({"in", "[a-z]+", "int"});
  EXPECT_EQ(match(scanner, "in ").rule, 0);
  EXPECT_EQ(match(scanner, "int ").rule, 1);
  EXPECT_EQ(match(scanner, "inner").length, 5u);
}

TEST(Scanner, GoesBackToTheLastPlaceThatMatched) {
  const Scanner scanner({"a", "a,*b"});
  const Scanner::Match found = match(scanner, "a,,,c");
  EXPECT_EQ(found.rule, 0);
  EXPECT_EQ(found.length, 1u);
}

TEST(Scanner, SaysWhenNothingMatches) {
  const Scanner scanner({"a"});
  EXPECT_EQ(match(scanner, "b").rule, Scanner::kNoRule);
  EXPECT_EQ(match(scanner, "").rule, Scanner::kNoRule);
  EXPECT_EQ(match(scanner, "a", 1).rule, Scanner::kNoRule);
}

TEST(Scanner, UnderstandsRepeatsGroupsAndSets) {
  EXPECT_TRUE(matches_all("(ab|c)*d", "abccabd"));
  EXPECT_TRUE(matches_all("x{2,3}y{2}z{1,}", "xxxyyzzz"));
  EXPECT_FALSE(matches_all("x{2,3}y", "xxxxy"));
  EXPECT_TRUE(matches_all("[a-c\\-]+", "a-c"));
  EXPECT_TRUE(matches_all("[^ab]+", "xyz!"));
  EXPECT_FALSE(matches_all("[^ab]+", "xa"));
  EXPECT_TRUE(matches_all("a?b+", "bb"));
}

TEST(Scanner, IgnoresTheCaseOfLiteralsButNotOfSets) {
  EXPECT_TRUE(matches_all("Mr\\.", "mR."));
  EXPECT_FALSE(matches_all("[W]ash", "wASH"));
  EXPECT_TRUE(matches_all("[W]ash", "WASH"));
}

TEST(Scanner, FindsAMatchBehindAKnownDeadEnd) {
  // Both places read far ahead in vain; only what failed before may be skipped.
  const Scanner scanner({"[ab]", "a[^;]*;", "b[^!]*!"});
  const std::string text = "aab" + std::string(500, 'x') + "!";
  Scanner::Pass pass(scanner, text);
  EXPECT_EQ(pass.match_at(0).length, 1u);
  EXPECT_EQ(pass.match_at(1).length, 1u);
  EXPECT_EQ(pass.match_at(2).length, 502u);
}

TEST(Scanner, RefusesPatternsItCannotRead) {
  EXPECT_EQ(error_of([] { Scanner({"(a"}); }), "pattern (a: expected ) at 2");
  EXPECT_EQ(error_of([] { Scanner({"a)"}); }), "pattern a): expected the end at 1");
  EXPECT_EQ(error_of([] { Scanner({"[z-a]"}); }), "pattern [z-a]: expected a range upwards at 4");
  EXPECT_EQ(error_of([] { Scanner({"a{x}"}); }), "pattern a{x}: expected a number at 2");
  EXPECT_EQ(error_of([] { Scanner({"[ab"}); }), "pattern [ab: expected an ASCII character at 3");
}

}  // namespace pdvc
