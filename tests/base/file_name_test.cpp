#include "base/file_name.h"

#include <gtest/gtest.h>

namespace pdvc {

TEST(FileName, ExtensionsAreReadInLowerCase) {
  EXPECT_EQ(lower_extension("a/B.MP4"), ".mp4");
  EXPECT_EQ(lower_extension("a.b/c"), "");
}

TEST(FileName, HiddenFilesBeginWithADot) {
  EXPECT_TRUE(is_hidden("a/.b.mp4"));
  EXPECT_FALSE(is_hidden(".a/b.mp4"));
}

}  // namespace pdvc
