// Arrays as files hold them: typed, row-major, owning or looking at mapped bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "tensor/dtype.h"

namespace pdvc {

using Shape = std::vector<int64_t>;

// Number of elements, or -1 where a size is negative or the product does not fit 62 bits.
int64_t element_count(std::span<const int64_t> shape);
// Bytes of such an array, or -1 likewise.
int64_t byte_count(DType type, std::span<const int64_t> shape);
std::string shape_text(std::span<const int64_t> shape);  // "[100, 500]"
// Elements from one index to the next, in each dimension.
Shape row_major_strides(const Shape& shape);
Shape column_major_strides(const Shape& shape);

// Looks at a row-major array. The bytes may be unaligned (they come from mapped files): read them
// with to_floats or to_doubles.
struct ArrayView {
  DType type = DType::f32;
  Shape shape;
  Bytes bytes;

  int64_t elements() const { return element_count(shape); }
};

// Owns a row-major array.
class Array {
 public:
  Array() = default;
  // Uninitialised; the caller has checked that the size is sensible.
  Array(DType type, Shape shape);

  DType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  int64_t elements() const { return element_count(shape_); }
  std::span<std::byte> bytes() { return {data_.get(), size_}; }
  ArrayView view() const { return {type_, shape_, {data_.get(), size_}}; }

  // The elements of an f32 array.
  std::span<float> floats();
  std::span<const float> floats() const;

 private:
  DType type_ = DType::f32;
  Shape shape_ = {0};
  size_t size_ = 0;
  std::unique_ptr<std::byte[]> data_;
};

Array copy_of(const ArrayView& view);
// Row-major, of elements that lie `strides` apart in `bytes`; the caller has checked that they are
// all there.
Array gathered(DType type, const Shape& shape, const Shape& strides, Bytes bytes);
// Between big- and little-endian, in place.
void swap_byte_order(DType type, std::span<std::byte> bytes);
// Any real type to float or double; complex types are refused by an Error.
void to_floats(const ArrayView& view, std::span<float> out);
Array to_floats(const ArrayView& view);
std::vector<double> to_doubles(const ArrayView& view);
// f32, f16, bf16 or f64 out of any real type.
Array converted(const ArrayView& view, DType type);

// What `pdvc info` says of an array; range and mean leave out what is not finite.
struct Statistics {
  double least = 0;
  double most = 0;
  double mean = 0;
  int64_t finite = 0;  // how many values the three above stand for
  int64_t not_a_number = 0;
  int64_t infinite = 0;
};
Statistics statistics_of(const ArrayView& view);

}  // namespace pdvc
