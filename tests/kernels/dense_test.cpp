#include "kernels/dense.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <thread>

#include "kernels/plain.h"

namespace pdvc {
namespace {

std::vector<float> random_floats(int64_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(count));
  for (float& x : values) x = normal(generator);
  return values;
}

struct Case {
  int64_t rows, inputs, outputs;
};

constexpr Case kCases[] = {{1, 1, 1},     {1, 96, 3},      {3, 5, 7},
                           {5, 64, 64},   {10, 512, 719},  {47, 33, 16},
                           {64, 100, 65}, {100, 1500, 96}, {9, 512, 2}};

// The largest difference to the plain product, in shares of its deviation.
double error_of(const Case& c, DensePrecision precision, bool relu, bool with_bias) {
  const auto x = random_floats(c.rows * c.inputs, 1),
             weight = random_floats(c.outputs * c.inputs, 2);
  const auto bias = with_bias ? random_floats(c.outputs, 3) : std::vector<float>();
  const Dense layer(weight, bias, c.inputs,
                    {.precision = precision, .relu = relu, .typical_rows = 10});
  EXPECT_EQ(layer.inputs(), c.inputs);
  EXPECT_EQ(layer.outputs(), c.outputs);
  std::vector<float> padded(static_cast<size_t>(padded_rows(c.rows) * c.inputs)),
      y(static_cast<size_t>(padded_rows(c.rows) * c.outputs)),
      expected(static_cast<size_t>(c.rows * c.outputs));
  std::ranges::copy(x, padded.begin());
  DenseScratch scratch;
  for (int again = 0; again < 2; ++again) layer.run(padded.data(), y.data(), c.rows, scratch);
  plain::dense(x, weight, bias, c.inputs, relu, expected);
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(y[i]) - expected[i]));
  return worst / std::sqrt(static_cast<double>(c.inputs));
}

TEST(Dense, MultipliesLikeItsTwin) {
  for (const Case& c : kCases)
    for (const bool relu : {false, true})
      for (const bool bias : {false, true})
        EXPECT_LT(error_of(c, DensePrecision::f32, relu, bias), 1e-5)
            << c.rows << " x " << c.inputs << " x " << c.outputs;
}

TEST(Dense, MultipliesInFewerBitsWithinTheirError) {
  for (const Case& c : kCases)
    for (const bool relu : {false, true})
      for (const bool bias : {false, true}) {
        EXPECT_LT(error_of(c, DensePrecision::bf16, relu, bias), 0.03)
            << c.rows << " x " << c.inputs << " x " << c.outputs;
        EXPECT_LT(error_of(c, DensePrecision::int8, relu, bias), 0.12)
            << c.rows << " x " << c.inputs << " x " << c.outputs;
      }
}

TEST(Dense, RunsOnManyThreadsAtOnce) {
  const auto weight = random_floats(64 * 96, 4), x = random_floats(16 * 96, 5);
  const Dense layer(weight, {}, 96, {});
  std::vector<float> expected(16 * 64);
  plain::dense(x, weight, {}, 96, false, expected);
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, 0);
  for (size_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      DenseScratch scratch;
      std::vector<float> y(16 * 64);
      for (int64_t rows = 1; rows <= 16; ++rows) {
        layer.run(x.data(), y.data(), rows, scratch);
        for (size_t i = 0; i < static_cast<size_t>(rows) * 64; ++i)
          wrong[t] += std::abs(y[i] - expected[i]) > 1e-3f;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST(Dense, PadsRowsByAnEighthAtMost) {
  for (int64_t rows = 1; rows < 3000; ++rows) {
    EXPECT_GE(padded_rows(rows), rows);
    EXPECT_LE(padded_rows(rows), rows + std::max<int64_t>(rows / 8, 1)) << rows;
    EXPECT_EQ(padded_rows(padded_rows(rows)), padded_rows(rows));
  }
}

}  // namespace
}  // namespace pdvc
