#include "tensor/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace pdvc {
namespace {

struct Row {
  DType type;
  int64_t size;
  std::string_view name;
  std::string_view safetensors;
  std::string_view numpy;  // without byte order; empty where numpy has no such type
};

constexpr std::array kRows{
    Row{DType::f64, 8, "float64", "F64", "f8"},    Row{DType::f32, 4, "float32", "F32", "f4"},
    Row{DType::f16, 2, "float16", "F16", "f2"},    Row{DType::bf16, 2, "bfloat16", "BF16", ""},
    Row{DType::i64, 8, "int64", "I64", "i8"},      Row{DType::i32, 4, "int32", "I32", "i4"},
    Row{DType::i16, 2, "int16", "I16", "i2"},      Row{DType::i8, 1, "int8", "I8", "i1"},
    Row{DType::u64, 8, "uint64", "U64", "u8"},     Row{DType::u32, 4, "uint32", "U32", "u4"},
    Row{DType::u16, 2, "uint16", "U16", "u2"},     Row{DType::u8, 1, "uint8", "U8", "u1"},
    Row{DType::boolean, 1, "bool", "BOOL", "b1"},  Row{DType::c64, 8, "complex64", "", "c8"},
    Row{DType::c128, 16, "complex128", "", "c16"},
};

const Row& row_of(DType type) { return kRows.at(static_cast<size_t>(type)); }

std::optional<DType> find_type(std::string_view text, std::string_view Row::*column) {
  const auto at = std::ranges::find(kRows, text, column);
  if (text.empty() || at == kRows.end()) return std::nullopt;
  return at->type;
}

}  // namespace

int64_t size_of(DType type) { return row_of(type).size; }
std::string_view name_of(DType type) { return row_of(type).name; }
bool is_floating(DType type) { return type <= DType::bf16; }
std::optional<DType> dtype_named(std::string_view name) { return find_type(name, &Row::name); }
std::string_view safetensors_code(DType type) { return row_of(type).safetensors; }

std::optional<DType> dtype_of_safetensors_code(std::string_view code) {
  return find_type(code, &Row::safetensors);
}

std::optional<NumpyType> parse_numpy_type(std::string_view description) {
  bool big_endian = false;
  if (!description.empty() &&
      std::string_view("<>|=").find(description[0]) != std::string_view::npos) {
    big_endian = description[0] == '>';
    description.remove_prefix(1);
  }
  const auto type = find_type(description, &Row::numpy);
  if (!type) return std::nullopt;
  return NumpyType{*type, big_endian && size_of(*type) > 1};
}

float half_to_float(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1f;
  const uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0) {  // zero and subnormal: mantissa * 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const uint32_t wide_exponent = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide_exponent << 23 | mantissa << 13);
}

float bfloat16_to_float(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t float_to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (magnitude >= 65520.0f) return sign | 0x7c00;  // halfway between the largest half and the next
  if (magnitude < 0x1p-14f)                         // subnormal: a multiple of 2^-24
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(magnitude * 0x1p24f)));
  const uint32_t rebiased = (bits & 0x7fffffff) - (112u << 23);
  const uint32_t rounded = rebiased + 0xfff + ((rebiased >> 13) & 1);
  return static_cast<uint16_t>(sign | rounded >> 13);
}

uint16_t float_to_bfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace pdvc
