#include "tensor/npy_writer.h"

#include <string>

#include "base/atomic_file.h"
#include "base/error.h"

namespace pdvc {
namespace {

constexpr size_t kAlignment = 64;  // of the data, as numpy has it

std::string numpy_code(DType type) {
  switch (type) {
    case DType::f64:
      return "<f8";
    case DType::f32:
      return "<f4";
    case DType::f16:
      return "<f2";
    case DType::i64:
      return "<i8";
    case DType::i32:
      return "<i4";
    case DType::u8:
      return "|u1";
    default:
      fail("cannot write ", name_of(type), " as .npy");
  }
}

std::string header_of(const ArrayView& array) {
  std::string sizes;
  for (const int64_t size : array.shape) sizes += std::to_string(size) + ", ";
  std::string text = "{'descr': '" + numpy_code(array.type) +
                     "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  constexpr size_t kBefore = 10;  // magic, version, length
  text.resize((kBefore + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment - kBefore - 1,
              ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8 & 0xff);
  return header + text;
}

}  // namespace

void write_npy(const std::filesystem::path& path, const ArrayView& array) {
  AtomicFile file(path);
  file.write(header_of(array));
  file.write(array.bytes);
  file.commit();
}

}  // namespace pdvc
