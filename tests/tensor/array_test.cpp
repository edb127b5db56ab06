#include "tensor/array.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "support/files.h"
#include "tensor/quantize.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

template <class T>
Array array_of(DType type, Shape shape, std::initializer_list<T> values) {
  Array array(type, std::move(shape));
  const std::string bytes = bytes_of(values);
  std::ranges::copy(as_bytes(bytes), array.bytes().begin());
  return array;
}

}  // namespace

TEST(Array, CountsElementsWithoutOverflow) {
  EXPECT_EQ(element_count(Shape{}), 1);
  EXPECT_EQ(element_count(Shape{3, 0}), 0);
  EXPECT_EQ(element_count(Shape{int64_t{1} << 40, int64_t{1} << 40}), -1);
  EXPECT_EQ(element_count(Shape{-1}), -1);
  EXPECT_EQ(byte_count(DType::f64, Shape{int64_t{1} << 60}), -1);
}

TEST(Array, ConvertsEveryRealTypeToFloat) {
  EXPECT_THAT(to_doubles(array_of<double>(DType::f64, {2}, {1.5, -2}).view()),
              ElementsAre(1.5, -2));
  EXPECT_THAT(to_doubles(array_of<int64_t>(DType::i64, {1}, {-7}).view()), ElementsAre(-7));
  EXPECT_THAT(to_doubles(array_of<uint8_t>(DType::boolean, {2}, {0, 1}).view()), ElementsAre(0, 1));
  EXPECT_THAT(to_doubles(array_of<uint16_t>(DType::f16, {2}, {0x3c00, 0xc000}).view()),
              ElementsAre(1, -2));
  EXPECT_THAT(to_doubles(array_of<uint16_t>(DType::bf16, {1}, {0x3f80}).view()), ElementsAre(1));
  EXPECT_EQ(error_of([] { to_doubles(Array(DType::c64, {1}).view()); }),
            "expected real numbers, got complex64");
}

TEST(Array, ReadsUnalignedBytes) {
  const std::string bytes = "x" + bytes_of<float>({1, 2});
  EXPECT_THAT(to_doubles({DType::f32, {2}, as_bytes(bytes).subspan(1)}), ElementsAre(1, 2));
}

// All 65536 halves survive the way through float.
TEST(Array, HalfPrecisionRoundTripsExactly) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = half_to_float(static_cast<uint16_t>(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value))));
    else
      ASSERT_EQ(float_to_half(value), bits);
  }
}

TEST(Array, RoundsToTheNearestHalfAndEven) {
  EXPECT_EQ(float_to_half(1 + 0x1p-11f), 0x3c00);      // halfway: down to even
  EXPECT_EQ(float_to_half(1 + 3 * 0x1p-11f), 0x3c02);  // halfway: up to even
  EXPECT_EQ(float_to_half(65519.996f), 0x7bff);        // the largest half
  EXPECT_EQ(float_to_half(65520), 0x7c00);             // infinite
  EXPECT_EQ(float_to_bfloat16(1 + 0x1p-8f), 0x3f80);
  EXPECT_EQ(float_to_bfloat16(1 + 3 * 0x1p-8f), 0x3f82);
}

TEST(Array, StatisticsLeaveOutWhatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  const Statistics s =
      statistics_of(array_of<float>(DType::f32, {5}, {1, nan, -3, infinity, 5}).view());
  EXPECT_EQ(s.least, -3);
  EXPECT_EQ(s.most, 5);
  EXPECT_EQ(s.mean, 1);
  EXPECT_EQ(s.not_a_number, 1);
  EXPECT_EQ(s.infinite, 1);
  EXPECT_EQ(statistics_of(array_of<float>(DType::f32, {0}, {}).view()).mean, 0);
}

TEST(Quantize, KeepsEachRowWithinHalfAStep) {
  const Array matrix = array_of<float>(DType::f32, {3, 2}, {0.5f, -1.27f, 100, 3, 0, 0});
  const QuantizedRows rows = quantize_rows(matrix.view());
  EXPECT_THAT(rows.scales.floats(),
              ElementsAre(testing::FloatEq(0.01f), testing::FloatEq(100 / 127.f), 1));
  const Array back = dequantized(rows.values.view(), rows.scales.view());
  for (size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(back.floats()[i], matrix.floats()[i], rows.scales.floats()[i / 2] / 2 + 1e-6);
}

}  // namespace pdvc
