#include "base/printable.h"

#include <gtest/gtest.h>

namespace pdvc {

TEST(Printable, KeepsOrdinaryTextOfAnyScript) { EXPECT_EQ(printable("a é 中 😀"), "a é 中 😀"); }

TEST(Printable, ShowsControlCharactersInsteadOfObeyingThem) {
  EXPECT_EQ(printable("a\033[2Jb\n"), "a\\x1b[2Jb\\x0a");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // a control sequence introducer
}

TEST(Printable, ShowsInvalidUtf8AsBytes) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // an overlong slash
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
}

TEST(Printable, CutsLongText) { EXPECT_EQ(printable("abcdefgh", 3), "abc..."); }

}  // namespace pdvc
