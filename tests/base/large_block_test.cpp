#include "base/large_block.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace pdvc {

TEST(LargeBlock, HoldsWhatIsWrittenUpToItsLastByte) {
  for (const size_t size :
       {size_t{1}, size_t{4097}, (size_t{2} << 20) - 1, (size_t{5} << 20) + 3}) {
    LargeBlock block(size);
    ASSERT_EQ(block.size(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data()) % 64, 0u);
    std::memset(block.data(), 7, size);
    const LargeBlock moved = std::move(block);
    EXPECT_EQ(moved.data()[0], std::byte{7});
    EXPECT_EQ(moved.data()[size - 1], std::byte{7});
  }
}

TEST(LargeBlock, MayBeEmpty) {
  LargeBlock block(0);
  EXPECT_EQ(block.size(), 0u);
  block = LargeBlock(10);
  EXPECT_EQ(block.size(), 10u);
}

TEST(BlockPool, GivesBlocksThatDoNotOverlap) {
  BlockPool pool;
  std::vector<std::pair<std::byte*, size_t>> blocks;
  for (size_t size = 1; size < (size_t{40} << 20); size = size * 3 + 7) {
    std::byte* block = pool.take(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
    std::memset(block, static_cast<int>(blocks.size()), size);
    blocks.emplace_back(block, size);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].first[0], static_cast<std::byte>(i));
    EXPECT_EQ(blocks[i].first[blocks[i].second - 1], static_cast<std::byte>(i));
  }
}

}  // namespace pdvc
