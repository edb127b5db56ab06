#include "tensor/array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace pdvc {
namespace {

struct Half {
  uint16_t bits;
  operator double() const { return half_to_float(bits); }
};
struct Bfloat16 {
  uint16_t bits;
  operator double() const { return bfloat16_to_float(bits); }
};

// Calls use(T{}) with the C++ type that holds one element.
template <class Use>
void with_element_type(DType type, Use&& use) {
  switch (type) {
    case DType::f64:
      return use(double{});
    case DType::f32:
      return use(float{});
    case DType::f16:
      return use(Half{});
    case DType::bf16:
      return use(Bfloat16{});
    case DType::i64:
      return use(int64_t{});
    case DType::i32:
      return use(int32_t{});
    case DType::i16:
      return use(int16_t{});
    case DType::i8:
      return use(int8_t{});
    case DType::u64:
      return use(uint64_t{});
    case DType::u32:
      return use(uint32_t{});
    case DType::u16:
      return use(uint16_t{});
    case DType::u8:
    case DType::boolean:
      return use(uint8_t{});
    case DType::c64:
    case DType::c128:
      break;
  }
  fail("expected real numbers, got ", name_of(type));
}

// Calls take(i, value) for every element, read without assuming alignment.
template <class Take>
void for_each_element(const ArrayView& view, Take&& take) {
  with_element_type(view.type, [&]<class T>(T) {
    const int64_t count = view.elements();
    const std::byte* data = view.bytes.data();
    for (int64_t i = 0; i < count; ++i) {
      T element;
      std::memcpy(&element, data + static_cast<size_t>(i) * sizeof(T), sizeof(T));
      take(i, element);
    }
  });
}

template <class Out, class Convert>
Array with_elements(const ArrayView& view, DType type, Convert&& convert) {
  Array result(type, view.shape);
  auto* out = reinterpret_cast<Out*>(result.bytes().data());
  for_each_element(view, [&](int64_t i, auto element) { out[i] = convert(element); });
  return result;
}

}  // namespace

int64_t element_count(std::span<const int64_t> shape) {
  constexpr int64_t kMost = int64_t{1} << 62;
  int64_t count = 1;
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return -1;
    if (size == 0) {
      empty = true;
      continue;
    }
    if (count > kMost / size) return -1;
    count *= size;
  }
  return empty ? 0 : count;
}

int64_t byte_count(DType type, std::span<const int64_t> shape) {
  const int64_t elements = element_count(shape);
  return elements < 0 || elements > (int64_t{1} << 58) ? -1 : elements * size_of(type);
}

std::string shape_text(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

Shape row_major_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(shape[d], 1);
  return strides;
}

Shape column_major_strides(const Shape& shape) {
  Shape strides = row_major_strides({shape.rbegin(), shape.rend()});
  std::ranges::reverse(strides);
  return strides;
}

Array::Array(DType type, Shape shape)
    : type_(type), shape_(std::move(shape)), size_(static_cast<size_t>(byte_count(type_, shape_))) {
  data_ = std::make_unique_for_overwrite<std::byte[]>(size_);
}

std::span<float> Array::floats() {
  check(type_ == DType::f32, "expected float32, got ", name_of(type_));
  return {reinterpret_cast<float*>(data_.get()), size_ / sizeof(float)};
}

std::span<const float> Array::floats() const { return const_cast<Array*>(this)->floats(); }

Array copy_of(const ArrayView& view) {
  Array result(view.type, view.shape);
  std::ranges::copy(view.bytes, result.bytes().begin());
  return result;
}

Array gathered(DType type, const Shape& shape, const Shape& strides, Bytes bytes) {
  Array result(type, shape);
  const auto element = static_cast<size_t>(size_of(type));
  std::byte* out = result.bytes().data();
  Shape steps = strides, index(shape.size(), 0);
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] == 1) steps[d] = 0;  // a dimension of one may have any stride
  int64_t at = 0;
  for (int64_t left = result.elements(); left > 0; --left, out += element) {
    std::copy_n(bytes.data() + static_cast<size_t>(at) * element, element, out);
    for (size_t d = shape.size(); d-- > 0;) {
      at += steps[d];
      if (++index[d] < shape[d]) break;
      at -= steps[d] * shape[d];
      index[d] = 0;
    }
  }
  return result;
}

void swap_byte_order(DType type, std::span<std::byte> bytes) {
  const bool two_numbers = type == DType::c64 || type == DType::c128;
  const auto number = static_cast<size_t>(size_of(type) / (two_numbers ? 2 : 1));
  for (size_t at = 0; at + number <= bytes.size(); at += number)
    std::ranges::reverse(bytes.subspan(at, number));
}

void to_floats(const ArrayView& view, std::span<float> out) {
  check(static_cast<int64_t>(out.size()) == view.elements(), "expected room for ", view.elements(),
        " numbers, got ", out.size());
  if (view.type == DType::f32) {  // memcpy refuses null pointers even for nothing
    if (!out.empty()) std::memcpy(out.data(), view.bytes.data(), out.size_bytes());
    return;
  }
  for_each_element(view, [&](int64_t i, auto element) {
    out[static_cast<size_t>(i)] = static_cast<float>(element);
  });
}

Array to_floats(const ArrayView& view) {
  Array result(DType::f32, view.shape);
  to_floats(view, result.floats());
  return result;
}

std::vector<double> to_doubles(const ArrayView& view) {
  std::vector<double> result(static_cast<size_t>(view.elements()));
  for_each_element(view, [&](int64_t i, auto element) {
    result[static_cast<size_t>(i)] = static_cast<double>(element);
  });
  return result;
}

Array converted(const ArrayView& view, DType type) {
  if (view.type == type) return copy_of(view);
  switch (type) {
    case DType::f32:
      return to_floats(view);
    case DType::f64:
      return with_elements<double>(view, type, [](auto x) { return static_cast<double>(x); });
    case DType::f16:
      return with_elements<uint16_t>(view, type,
                                     [](auto x) { return float_to_half(static_cast<float>(x)); });
    case DType::bf16:
      return with_elements<uint16_t>(
          view, type, [](auto x) { return float_to_bfloat16(static_cast<float>(x)); });
    default:
      fail("cannot convert to ", name_of(type));
  }
}

Statistics statistics_of(const ArrayView& view) {
  Statistics result{.least = std::numeric_limits<double>::infinity(),
                    .most = -std::numeric_limits<double>::infinity()};
  double sum = 0;
  for_each_element(view, [&](int64_t, auto element) {
    const auto value = static_cast<double>(element);
    if (std::isfinite(value)) [[likely]] {
      result.least = std::min(result.least, value);
      result.most = std::max(result.most, value);
      sum += value;
      ++result.finite;
    } else {
      ++(std::isnan(value) ? result.not_a_number : result.infinite);
    }
  });
  if (result.finite == 0) result.least = result.most = 0;
  result.mean = result.finite > 0 ? sum / static_cast<double>(result.finite) : 0;
  return result;
}

}  // namespace pdvc
