#include "base/checksum.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace pdvc {

TEST(Checksum, ChangesWithEveryBitAndLength) {
  std::set<uint64_t> seen;
  for (size_t size = 0; size < 200; ++size)
    seen.insert(checksum_of(as_bytes(std::string(size, 'a'))));
  EXPECT_EQ(seen.size(), 200u);
  std::string text(150, 'b');
  for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ 1 << bit % 8);
    seen.insert(checksum_of(as_bytes(text)));
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ 1 << bit % 8);
  }
  EXPECT_EQ(seen.size(), 200u + 8 * text.size());
}

}  // namespace pdvc
