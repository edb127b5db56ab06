#include "kernels/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/plain.h"

namespace pdvc {
namespace {

// Levels of different length, some of them interleaved with other heads' numbers.
struct Levels {
  std::vector<float> numbers;
  std::vector<LevelRows> rows;

  Levels(int64_t width, int64_t stride, uint32_t seed)
      : numbers(200 * static_cast<size_t>(stride)) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    for (float& x : numbers) x = normal(generator);
    int64_t first = 0;
    for (const int64_t length : {100, 50, 25, 1}) {
      rows.push_back({numbers.data() + first * stride + (stride - width), stride, length});
      first += length;
    }
  }
};

std::vector<float> random_floats(size_t count, float mean, float range, uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(mean, range);
  std::vector<float> values(count);
  for (float& x : values) x = normal(generator);
  return values;
}

TEST(DeformableSampler, ReadsLikeItsTwinInsideAndOutsideOfLevels) {
  DeformableSampler sampler;
  for (const int64_t width : {3, 16, 64})
    for (uint32_t seed = 0; seed < 20; ++seed) {
      const Levels levels(width, 2 * width + 1, seed);
      auto places = random_floats(16, 20, 40, seed + 100);
      places[3] = -1;  // the edges themselves
      places[4] = 49;
      places[5] = 0;
      places[15] = 0.5f;
      const auto weights = random_floats(16, 0, 1, seed + 200);
      std::vector<float> fast(static_cast<size_t>(width)), slow(fast);
      sampler.attend(levels.rows, places, weights, fast);
      plain::deformable_attend(levels.rows, places, weights, slow);
      for (size_t i = 0; i < fast.size(); ++i) ASSERT_NEAR(fast[i], slow[i], 1e-4) << seed;
    }
}

TEST(DeformableSampler, TakesNothingFromPlacesThatAreNoNumbers) {
  DeformableSampler sampler;
  const Levels levels(4, 4, 1);
  std::vector<float> out(4, 1);
  sampler.attend(levels.rows, std::vector<float>{NAN, INFINITY, -INFINITY, 1e30f},
                 std::vector<float>(4, 1), out);
  EXPECT_EQ(out, std::vector<float>(4, 0));
}

TEST(CaptionSampler, ReadsLikeItsTwinInsideAndOutsideOfLevels) {
  CaptionSampler sampler;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Levels keys(24, 24, seed), values(40, 90, seed + 1);
    auto places = random_floats(16, 20, 40, seed + 2);
    places[15] = 1e30f;
    const auto query = random_floats(24, 0, 1, seed + 3), alpha = random_floats(24, 0, 1, seed + 4);
    std::vector<float> fast(40), slow(40);
    sampler.attend(keys.rows, values.rows, places, query, alpha, fast);
    plain::caption_attend(keys.rows, values.rows, places, query, alpha, slow);
    for (size_t i = 0; i < fast.size(); ++i) ASSERT_NEAR(fast[i], slow[i], 1e-4) << seed;
  }
}

TEST(TopK, FindsWhatSortingFinds) {
  for (const int64_t count : {0, 1, 2, 5, 64, 1000})
    for (uint32_t seed = 0; seed < 10; ++seed) {
      auto scores = random_floats(500, 0, 1, seed);
      for (float& score : scores) score = std::round(score * 10);  // many are equal
      const auto fast = top_k(scores, count), slow = plain::top_k(scores, count);
      ASSERT_EQ(fast.size(), slow.size());
      for (size_t i = 0; i < fast.size(); ++i) {
        EXPECT_EQ(fast[i].index, slow[i].index);
        EXPECT_EQ(fast[i].score, slow[i].score);
      }
    }
}

}  // namespace
}  // namespace pdvc
