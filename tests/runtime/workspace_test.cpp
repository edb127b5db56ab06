#include "runtime/workspace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pdvc {
namespace {

TEST(Arena, HandsOutRowsThatDoNotTouch) {
  Arena arena;
  struct Room {
    float* rows;
    size_t numbers;
  };
  std::vector<Room> rooms;
  for (const auto& [count, width] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 1}, {3, 5}, {100, 33}, {1, 700}, {40, 512}, {2000, 700}, {7, 3}}) {
    // What products may write: the rows asked for and those that padding adds.
    const auto numbers = static_cast<size_t>(padded_rows(count) * width);
    rooms.push_back({arena.rows(count, width), numbers});
  }
  for (size_t i = 0; i < rooms.size(); ++i)
    std::fill_n(rooms[i].rows, rooms[i].numbers, static_cast<float>(i));
  for (size_t i = 0; i < rooms.size(); ++i)
    for (size_t k = 0; k < rooms[i].numbers; ++k)
      ASSERT_EQ(rooms[i].rows[k], static_cast<float>(i)) << "room " << i << " number " << k;
}

TEST(Arena, StartsEachRoomAtACacheLine) {
  Arena arena;
  for (const int64_t width : {1, 3, 17, 700})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.rows(3, width)) % 64, 0u);
}

TEST(Arena, GivesTheSameRoomAgainAfterAScope) {
  Arena arena;
  const float* before = arena.rows(4, 4);
  const float* first = nullptr;
  {
    const Arena::Scope scope(arena);
    first = arena.rows(10, 10);
    arena.rows(5000, 1000);  // a block of its own
  }
  EXPECT_NE(before, first);
  EXPECT_EQ(arena.rows(10, 10), first);
}

TEST(Arena, KeepsWhatIsOutsideOfAnEndedScope) {
  Arena arena;
  float* outside = arena.rows(2, 2);
  std::fill_n(outside, 4, 7.0f);
  for (int round = 0; round < 3; ++round) {
    const Arena::Scope scope(arena);
    std::fill_n(arena.rows(3000, 600), 3000 * 600, 1.0f);
    const Arena::Scope inner(arena);
    std::fill_n(arena.rows(8, 8), 64, 2.0f);
  }
  EXPECT_TRUE(std::all_of(outside, outside + 4, [](float x) { return x == 7; }));
}

// A request after a large one of another order must not be given a block that is too small.
TEST(Arena, FindsRoomForRequestsOfAnySizeAfterScopesOfOtherSizes) {
  Arena arena;
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    const Arena::Scope scope(arena);
    std::vector<std::pair<float*, size_t>> rooms;
    for (int i = 0; i < 4; ++i) {
      const auto count = static_cast<int64_t>(random() % 2000);
      const auto width = static_cast<int64_t>(1 + random() % 600);
      rooms.emplace_back(arena.rows(count, width), static_cast<size_t>(count * width));
      std::fill_n(rooms.back().first, rooms.back().second, static_cast<float>(i));
    }
    for (size_t i = 0; i < rooms.size(); ++i)
      ASSERT_TRUE(std::all_of(rooms[i].first, rooms[i].first + rooms[i].second,
                              [&](float x) { return x == static_cast<float>(i); }));
  }
}

class SharedProducts : public testing::TestWithParam<int> {};

TEST_P(SharedProducts, GiveWhatOneThreadGives) {
  constexpr int64_t kInputs = 24, kOutputs = 20;
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  std::vector<float> weight(kInputs * kOutputs), bias(kOutputs);
  for (float& x : weight) x = normal(random);
  for (float& x : bias) x = normal(random);
  const Dense layer(weight, bias, kInputs, {});
  Workspace alone(1), shared(GetParam());
  for (int64_t rows = 0; rows < 45; ++rows) {
    const Arena::Scope scope(alone.arena);
    float* x = alone.arena.rows(rows, kInputs);
    float* wanted = alone.arena.rows(rows, kOutputs);
    float* own = alone.arena.rows(rows, kOutputs);
    for (int64_t i = 0; i < rows * kInputs; ++i) x[i] = normal(random);
    alone.run(layer, x, wanted, rows);
    shared.run(layer, x, own, rows);
    for (int64_t i = 0; i < rows * kOutputs; ++i)
      ASSERT_NEAR(own[i], wanted[i], 1e-5) << rows << " rows, number " << i;
  }
}

TEST_P(SharedProducts, SplitIndicesWithoutGapsOrRepeats) {
  Workspace workspace(GetParam());
  for (int64_t count = 0; count < 12; ++count) {
    std::vector<int> times(static_cast<size_t>(count), 0);
    workspace.split(count, [&](int64_t first, int64_t last, int) {
      for (int64_t i = first; i < last; ++i) ++times[static_cast<size_t>(i)];
    });
    EXPECT_TRUE(std::ranges::all_of(times, [](int n) { return n == 1; })) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, SharedProducts, testing::Values(1, 2, 3, 5, 8));

}  // namespace
}  // namespace pdvc
