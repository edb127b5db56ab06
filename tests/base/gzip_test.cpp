#include "base/gzip.h"

#include <gmock/gmock.h>

#include "support/meteor_files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines_of(const std::string& packed) {
  std::vector<std::string> lines;
  for_each_gzip_line(as_bytes(packed), "t.gz",
                     [&](const GzipLine& line) { lines.emplace_back(line.text); });
  return lines;
}

}  // namespace

TEST(Gzip, GivesLines) {
  EXPECT_THAT(lines_of(gzipped("one\n\nthree\n")), ElementsAre("one", "", "three"));
  EXPECT_THAT(lines_of(gzipped("no end")), ElementsAre("no end"));
  EXPECT_THAT(lines_of(gzipped("")), ElementsAre());
}

TEST(Gzip, JoinsLinesAcrossBlocks) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "line " + std::to_string(i) + "\n";
  const auto lines = lines_of(gzipped(text));
  ASSERT_EQ(lines.size(), 50000u);
  for (size_t i = 0; i < lines.size(); ++i) ASSERT_EQ(lines[i], "line " + std::to_string(i));
}

TEST(Gzip, RefusesDamageAndEndlessLines) {
  const std::string packed = gzipped("some text that is long enough\n");
  EXPECT_EQ(error_of([&] { lines_of(packed.substr(0, packed.size() / 2)); }),
            "t.gz: is damaged or cut short (expected gzip)");
  EXPECT_EQ(error_of([&] { lines_of("plain text"); }),
            "t.gz: is damaged or cut short (expected gzip)");
  EXPECT_EQ(error_of([&] { lines_of(gzipped(std::string(3 << 20, 'x'))); }),
            "t.gz: holds a line of more than 1048576 characters");
}

}  // namespace pdvc
