#include "tensor/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/byte_order.h"
#include "base/error.h"
#include "base/file_reader.h"
#include "base/printable.h"

namespace pdvc {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kPreamble = 12;  // magic, version and the longer form of the header's length
constexpr size_t kLongestHeader = 65536;  // numpy itself refuses to parse longer ones
constexpr size_t kMostDimensions = 32;

// Reads the one Python dictionary that numpy writes: quoted keys; quoted text, True, False or a
// tuple of whole numbers.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr")
        type_ = element_type();
      else if (key == "fortran_order")
        header.fortran_order = boolean();
      else if (key == "shape")
        shape_ = tuple();
      else
        fail(name_, ": unexpected key \"", printable(key), "\" in its header");
      if (!accept(',')) expect_end();
    }
    check(type_ && shape_, name_, ": its header lacks \"descr\" or \"shape\"");
    header.type = *type_;
    header.shape = std::move(*shape_);
    return header;
  }

 private:
  void skip_space() {
    while (!text_.empty() && std::string_view(" \t\r\n").find(text_[0]) != std::string_view::npos)
      text_.remove_prefix(1);
  }

  bool accept(char wanted) {
    skip_space();
    if (text_.empty() || text_[0] != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    check(accept(wanted), name_, ": damaged header (expected '", wanted, "' before \"",
          printable(text_, 20), "\")");
  }

  void expect_end() {
    skip_space();
    check(text_.starts_with('}'), name_, ": damaged header (expected '}' before \"",
          printable(text_, 20), "\")");
  }

  std::string_view quoted() {
    skip_space();
    const char quote = text_.empty() ? '\0' : text_[0];
    check(quote == '\'' || quote == '"', name_, ": damaged header (expected quoted text before \"",
          printable(text_, 20), "\")");
    const size_t end = text_.find(quote, 1);
    check(end != std::string_view::npos, name_, ": damaged header (a quote is not closed)");
    const std::string_view inside = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return inside;
  }

  NumpyType element_type() {
    skip_space();
    check(!text_.starts_with('['), name_, ": holds records (expected an array of numbers)");
    const std::string_view description = quoted();
    const auto type = parse_numpy_type(description);
    check(type.has_value(), name_, ": element type \"", printable(description),
          "\" is not supported (expected f2, f4, f8, i1 to i8, u1 to u8 or b1)");
    return *type;
  }

  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"})
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return word == "True";
      }
    fail(name_, ": damaged header (expected True or False before \"", printable(text_, 20), "\")");
  }

  Shape tuple() {
    Shape shape;
    expect('(');
    while (!accept(')')) {
      check(shape.size() < kMostDimensions, name_, ": more than ", kMostDimensions, " dimensions");
      shape.push_back(whole_number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  int64_t whole_number() {
    skip_space();
    int64_t value = 0;
    const auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    check(code == std::errc{} && value >= 0, name_, ": damaged header (expected a size before \"",
          printable(text_, 20), "\")");
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote 10L
    return value;
  }

  std::string_view text_;
  const std::string& name_;
  std::optional<NumpyType> type_;
  std::optional<Shape> shape_;
};

// Where the dictionary starts, and its length.
std::pair<size_t, size_t> dictionary_range(Bytes start, const std::string& name) {
  check(start.size() >= kPreamble && as_text(start).starts_with(kMagic), name,
        ": is not a .npy file");
  const int version = static_cast<int>(start[6]);
  check(version >= 1 && version <= 3, name, ": .npy version ", version,
        " is not supported (expected 1 to 3)");
  if (version == 1) return {10, little_endian<uint16_t>(start, 8)};
  return {12, little_endian<uint32_t>(start, 8)};
}

template <class Read>
Array read_data(const NpyHeader& header, Read&& read) {
  const auto& [type, big_endian] = header.type;
  Array array(type, header.shape);
  read(array.bytes());
  if (big_endian) swap_byte_order(type, array.bytes());
  if (!header.fortran_order || header.shape.size() < 2) return array;
  return gathered(type, header.shape, column_major_strides(header.shape), array.view().bytes);
}

}  // namespace

NpyHeader parse_npy_header(Bytes start, size_t file_size, const std::string& name) {
  const auto [begin, length] = dictionary_range(start, name);
  check(length <= kLongestHeader, name, ": a header of ", length, " bytes is too long");
  check(begin + length <= start.size(), name, ": is cut short within its header");
  NpyHeader header = DictionaryParser(as_text(start.subspan(begin, length)), name).parse();
  header.data_offset = begin + length;
  const int64_t needed = byte_count(header.type.type, header.shape);
  const auto available = static_cast<int64_t>(file_size - header.data_offset);
  check(needed >= 0, name, ": shape ", shape_text(header.shape), " is too large");
  check(needed <= available, name, ": is cut short (", shape_text(header.shape), " ",
        name_of(header.type.type), " needs ", needed, " bytes of data, got ", available, ")");
  return header;
}

Array read_npy(const std::filesystem::path& path) {
  const FileReader file(path);
  std::vector<std::byte> start(std::min(file.size(), size_t{256}));
  file.read_at(0, start);
  const auto [begin, length] = dictionary_range(start, path.string());
  if (begin + length > start.size()) {
    start.resize(std::min(file.size(), begin + std::min(length, kLongestHeader)));
    file.read_at(0, start);
  }
  const NpyHeader header = parse_npy_header(start, file.size(), path.string());
  return read_data(header,
                   [&](std::span<std::byte> out) { file.read_at(header.data_offset, out); });
}

Array parse_npy(Bytes file, const std::string& name) {
  const NpyHeader header = parse_npy_header(file, file.size(), name);
  return read_data(header, [&](std::span<std::byte> out) {
    std::ranges::copy(file.subspan(header.data_offset, out.size()), out.begin());
  });
}

}  // namespace pdvc
