#include "kernels/vector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/plain.h"

namespace pdvc {
namespace {

// Sizes around the widths of all registers, and one that is long.
constexpr size_t kSizes[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 512, 1037};

std::vector<float> random_floats(size_t count, uint32_t seed, float range = 2) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, range);
  std::vector<float> values(count);
  for (float& x : values) x = normal(generator);
  return values;
}

void expect_near(const std::vector<float>& fast, const std::vector<float>& plain, float tolerance) {
  ASSERT_EQ(fast.size(), plain.size());
  for (size_t i = 0; i < fast.size(); ++i)
    ASSERT_NEAR(fast[i], plain[i], tolerance * (1 + std::abs(plain[i])))
        << "at " << i << " of " << fast.size();
}

TEST(VectorKernels, AddAndMultiplyLikeTheirTwins) {
  for (const size_t n : kSizes) {
    const auto a = random_floats(n, 1), b = random_floats(n, 2);
    EXPECT_NEAR(vector::dot(a, b), plain::dot(a, b), 1e-3);
    auto fast = a, slow = a;
    vector::add_scaled(0.7f, b, fast);
    plain::add_scaled(0.7f, b, slow);
    expect_near(fast, slow, 1e-6f);
    vector::add(a, b, fast);
    plain::add(a, b, slow);
    expect_near(fast, slow, 0);
  }
}

TEST(VectorKernels, SumWeightedRowsLikeTheirTwin) {
  for (const size_t n : kSizes)
    for (const size_t count : {0UL, 1UL, 5UL, 32UL}) {
      const auto numbers = random_floats(n * count + 1, 23), factors = random_floats(count, 24);
      std::vector<const float*> rows;
      for (size_t r = 0; r < count; ++r) rows.push_back(numbers.data() + r * n);
      std::vector<float> fast(n), slow(n);
      vector::weighted_sum(rows, factors, fast);
      plain::weighted_sum(rows, factors, slow);
      expect_near(fast, slow, 1e-4f);
    }
}

TEST(VectorKernels, NormalizeLikeTheirTwins) {
  for (const size_t n : kSizes) {
    const auto x = random_floats(n, 3), y = random_floats(n, 4), scale = random_floats(n, 5),
               shift = random_floats(n, 6);
    std::vector<float> fast(n), slow(n);
    vector::add_and_normalize(x, y, {scale, shift}, fast);
    plain::add_and_normalize(x, y, {scale, shift}, slow);
    expect_near(fast, slow, 1e-4f);
  }
  for (const auto& [channels, groups] :
       std::vector<std::pair<size_t, int64_t>>{{32, 32}, {64, 32}, {96, 32}, {512, 32}, {1120, 32}})
    for (const size_t rows : {1UL, 2UL, 13UL, 100UL}) {
      auto fast = random_floats(rows * channels, 7), slow = fast;
      const auto scale = random_floats(channels, 8), shift = random_floats(channels, 9);
      vector::group_normalize(fast, static_cast<int64_t>(channels), groups, {scale, shift});
      plain::group_normalize(slow, static_cast<int64_t>(channels), groups, {scale, shift});
      expect_near(fast, slow, 2e-4f);
    }
}

TEST(VectorKernels, SoftmaxLikeItsTwinEvenFarFromZero) {
  for (const size_t n : kSizes)
    for (const float offset : {0.0f, 500.0f, -500.0f}) {
      auto fast = random_floats(n, 10, 5);
      for (float& x : fast) x += offset;
      auto slow = fast;
      vector::softmax(fast);
      plain::softmax(slow);
      expect_near(fast, slow, 1e-4f);
    }
}

TEST(VectorKernels, SoftmaxGivesNothingToWhatIsMasked) {
  std::vector<float> x = random_floats(40, 11);
  for (size_t i = 20; i < 40; ++i) x[i] = -INFINITY;
  vector::softmax(x);
  for (size_t i = 20; i < 40; ++i) EXPECT_EQ(x[i], 0);
}

TEST(VectorKernels, StepAnLstmLikeTheirTwin) {
  for (const size_t n : kSizes) {
    const auto gates = random_floats(4 * n, 12, 4);
    auto fast_cell = random_floats(n, 13), slow_cell = fast_cell;
    std::vector<float> fast(n), slow(n);
    vector::lstm_step(gates, fast_cell, fast);
    plain::lstm_step(gates, slow_cell, slow);
    expect_near(fast_cell, slow_cell, 2e-6f);
    expect_near(fast, slow, 2e-6f);
  }
}

TEST(VectorKernels, SaturateInsteadOfOverflowing) {
  const std::vector<float> gates = {-200, 200, 500, 200};  // one unit: in, forget, candidate, out
  std::vector<float> cell = {1}, hidden = {0};
  vector::lstm_step(gates, cell, hidden);
  EXPECT_NEAR(cell[0], 1, 1e-6);
  EXPECT_NEAR(hidden[0], std::tanh(1.0), 1e-6);
  std::vector<float> many(64, 1e4f), alpha(64, 1.0f), low(64, 0.0f);
  EXPECT_NEAR(vector::tanh_score({low.data(), low.data(), 0}, many, alpha), 64, 1e-3);
}

TEST(VectorKernels, ReadBetweenRowsLikeTheirTwins) {
  for (const size_t n : kSizes)
    for (const float share : {0.0f, 0.25f, 1.0f}) {
      const auto low = random_floats(n, 14), high = random_floats(n, 15),
                 query = random_floats(n, 16), alpha = random_floats(n, 17);
      const vector::Between row{low.data(), high.data(), share};
      EXPECT_NEAR(vector::tanh_score(row, query, alpha), plain::tanh_score(row, query, alpha),
                  1e-3);
      auto fast = random_floats(n, 18), slow = fast;
      vector::add_between(0.3f, row, fast);
      plain::add_between(0.3f, row, slow);
      expect_near(fast, slow, 1e-6f);
    }
}

TEST(VectorKernels, FindTheBestWordLikeTheirTwin) {
  for (const size_t n : kSizes) {
    const auto scores = random_floats(n, 19, 6);
    const auto fast = vector::best_word(scores), slow = plain::best_word(scores);
    EXPECT_EQ(fast.score, slow.score);
    EXPECT_EQ(fast.index, slow.index);
    EXPECT_NEAR(fast.sum, slow.sum, 1e-4 * slow.sum);
  }
  const auto many = random_floats(100000, 25, 0.1f);  // a long sum stays exact
  EXPECT_NEAR(vector::best_word(many).sum, plain::best_word(many).sum,
              1e-6 * plain::best_word(many).sum);
  const std::vector<float> equal(33, 1.5f);
  EXPECT_EQ(vector::best_word(equal).index, 0) << "of equal scores the first";
}

TEST(VectorKernels, QuantizeLikeTheirTwins) {
  for (const size_t n : kSizes) {
    const auto x = random_floats(n, 20);
    std::vector<int8_t> fast(n), slow(n);
    EXPECT_FLOAT_EQ(vector::quantize(x, fast), plain::quantize(x, slow));
    EXPECT_EQ(fast, slow);
    std::vector<int32_t> sums(n);
    for (size_t i = 0; i < n; ++i) sums[i] = static_cast<int32_t>(i * 1000) - 5000;
    const auto scale = random_floats(n, 21), shift = random_floats(n, 22);
    std::vector<float> fast_out(n), slow_out(n);
    for (const bool relu : {false, true}) {
      vector::dequantize(sums, 0.01f, {scale, shift}, relu, fast_out);
      plain::dequantize(sums, 0.01f, {scale, shift}, relu, slow_out);
      expect_near(fast_out, slow_out, 1e-5f);
    }
    std::vector<uint16_t> fast_half(n), slow_half(n);
    vector::to_bfloat16(x, fast_half);
    plain::to_bfloat16(x, slow_half);
    EXPECT_EQ(fast_half, slow_half);
  }
}

TEST(VectorKernels, QuantizeARowOfZeros) {
  const std::vector<float> zeros(20, 0.0f);
  std::vector<int8_t> out(20, 1);
  EXPECT_EQ(vector::quantize(zeros, out), 0);
  EXPECT_EQ(out, std::vector<int8_t>(20, 0));
}

}  // namespace
}  // namespace pdvc
