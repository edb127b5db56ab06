#include "output/line_text.h"

#include <gmock/gmock.h>

namespace pdvc {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OneLine, KeepsTheWordsAndOneSpaceBetweenThem) {
  EXPECT_EQ(one_line("  a\tman \r\n\n runs.  "), "a man runs.");
  EXPECT_EQ(one_line("a\u2028b\u00a0c\u0085d"), "a b c d");
  EXPECT_EQ(one_line("a\x1b[31mb\x7f"), "a [31mb");
  EXPECT_EQ(one_line(""), "");
  EXPECT_EQ(one_line(" \n\x01"), "");
}

TEST(OneLine, IsValidUtf8) {
  EXPECT_EQ(one_line("caf\xc3\xa9 \xff \xe2\x82"), "caf\u00e9 \ufffd \ufffd\ufffd");
}

TEST(OneLineName, KeepsSpacesButNoLineBreaks) {
  EXPECT_EQ(one_line_name("a  b\tc\nd\u2029e "), "a  b c d e ");
  EXPECT_EQ(one_line_name("\xff"), "\ufffd");
}

TEST(WrapWords, FillsLinesUpToTheWidth) {
  EXPECT_THAT(wrap_words("a man runs on a field.", 10),
              ElementsAre("a man runs", "on a", "field."));
  EXPECT_THAT(wrap_words("abc", 3), ElementsAre("abc"));
  EXPECT_THAT(wrap_words(" \n", 10), IsEmpty());
}

TEST(WrapWords, GivesALongWordALineOfItsOwn) {
  EXPECT_THAT(wrap_words("a extraordinarily b", 5), ElementsAre("a", "extraordinarily", "b"));
}

TEST(WrapWords, CountsCharactersNotBytes) {
  EXPECT_THAT(wrap_words("\u00e9\u00e9 \u00e9\u00e9 \u00e9", 5),
              ElementsAre("\u00e9\u00e9 \u00e9\u00e9", "\u00e9"));
}

}  // namespace pdvc
