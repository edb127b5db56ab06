// Element types of the arrays that files of this world hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pdvc {

enum class DType : uint8_t {
  f64,
  f32,
  f16,
  bf16,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean,
  c64,
  c128,
};

int64_t size_of(DType type);                              // bytes of one element
std::string_view name_of(DType type);                     // "float32"
bool is_floating(DType type);                             // f64, f32, f16, bf16
std::optional<DType> dtype_named(std::string_view name);  // the inverse of name_of

// The code in a safetensors header ("F32"); empty for types that the format does not know.
std::string_view safetensors_code(DType type);
std::optional<DType> dtype_of_safetensors_code(std::string_view code);

// numpy's description of one element, such as "<f4" or "|u1".
struct NumpyType {
  DType type;
  bool big_endian = false;
};
std::optional<NumpyType> parse_numpy_type(std::string_view description);

float half_to_float(uint16_t bits);
float bfloat16_to_float(uint16_t bits);
// Round to nearest even, as hardware does; too large becomes infinite, NaN stays NaN.
uint16_t float_to_half(float value);
uint16_t float_to_bfloat16(float value);

}  // namespace pdvc
