#include "tensor/checkpoint_writer.h"

#include <map>
#include <string>

#include "base/error.h"
#include "tensor/zip_writer.h"

namespace pdvc {
namespace {

std::string_view storage_type(DType type) {
  switch (type) {
    case DType::f64:
      return "DoubleStorage";
    case DType::f32:
      return "FloatStorage";
    case DType::f16:
      return "HalfStorage";
    case DType::bf16:
      return "BFloat16Storage";
    case DType::i64:
      return "LongStorage";
    case DType::i32:
      return "IntStorage";
    case DType::i16:
      return "ShortStorage";
    case DType::i8:
      return "CharStorage";
    case DType::u8:
      return "ByteStorage";
    case DType::boolean:
      return "BoolStorage";
    default:
      fail("tensors of ", name_of(type), " cannot be stored in a checkpoint");
  }
}

// Pickle protocol 2, the part of it that a dictionary of tensors needs.
class PickleWriter {
 public:
  PickleWriter() { code_ = "\x80\x02"; }

  PickleWriter& op(char opcode) {
    code_ += opcode;
    return *this;
  }
  PickleWriter& text(std::string_view value) {
    op('X');
    little_endian(value.size(), 4);
    code_ += value;
    return *this;
  }
  PickleWriter& integer(int64_t value) {
    const bool small = value >= INT32_MIN && value <= INT32_MAX;
    if (!small) code_ += "\x8a\x08";  // LONG1 of eight bytes
    if (small) op('J');
    little_endian(static_cast<uint64_t>(value), small ? 4 : 8);
    return *this;
  }
  PickleWriter& integers(const Shape& values) {
    op('(');
    for (const int64_t value : values) integer(value);
    return op('t');
  }
  PickleWriter& global(std::string_view module, std::string_view name) {
    op('c');
    code_ += join_text(module, "\n", name, "\n");
    return *this;
  }
  PickleWriter& empty_ordered_dict() {
    return global("collections", "OrderedDict").op(')').op('R');
  }
  const std::string& code() const { return code_; }

 private:
  void little_endian(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) code_ += static_cast<char>(value >> 8 * i & 0xff);
  }
  std::string code_;
};

void append_tensor(PickleWriter& pickle, const ArrayView& view, const std::string& key) {
  pickle.global("torch._utils", "_rebuild_tensor_v2").op('(');
  pickle.op('(').text("storage").global("torch", storage_type(view.type)).text(key).text("cpu");
  pickle.integer(view.elements()).op('t').op('Q');
  pickle.integer(0).integers(view.shape).integers(row_major_strides(view.shape));
  pickle.op('\x89').empty_ordered_dict().op('t').op('R');
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, int64_t epoch,
                      const std::vector<NamedView>& tensors) {
  ZipWriter archive(path);
  const std::string folder = "model/";
  PickleWriter pickle;
  pickle.op('}').op('(').text("epoch").integer(epoch).text("model").empty_ordered_dict().op('(');
  std::map<std::pair<const std::byte*, size_t>, std::string> keys;
  std::vector<Bytes> storages;
  for (const auto& [name, view] : tensors) {
    const auto [at, fresh] =
        keys.try_emplace({view.bytes.data(), view.bytes.size()}, std::to_string(storages.size()));
    if (fresh) storages.push_back(view.bytes);
    pickle.text(name);
    append_tensor(pickle, view, at->second);
  }
  pickle.op('u').op('u').op('.');
  archive.add(folder + "data.pkl", as_bytes(pickle.code()));
  for (size_t i = 0; i < storages.size(); ++i)
    archive.add(folder + "data/" + std::to_string(i), storages[i]);
  archive.add(folder + "version", as_bytes("3\n"));
  archive.commit();
}

}  // namespace pdvc
