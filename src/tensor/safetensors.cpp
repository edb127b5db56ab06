#include "tensor/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/byte_order.h"
#include "base/error.h"
#include "base/json.h"
#include "base/printable.h"

namespace pdvc {
namespace {

constexpr size_t kLongestHeader = 100 << 20;  // the format's own limit
constexpr size_t kHeaderAlignment = 64;
constexpr const char* kMetadataKey = "__metadata__";

struct Extent {
  uint64_t begin = 0;
  uint64_t end = 0;
};

std::string where(const std::string& name, const std::string& tensor) {
  return name + ": tensor " + printable(tensor);
}

std::map<std::string, std::string> parse_metadata(const Json& value, const std::string& name) {
  check(value.is_object(), name, ": ", kMetadataKey, ": expected an object of texts");
  std::map<std::string, std::string> result;
  for (const auto& [key, text] : value.items()) {
    check(text.is_string(), name, ": ", kMetadataKey, ": ", printable(key), ": expected text, got ",
          json_excerpt(text));
    result[key] = text.get<std::string>();
  }
  return result;
}

DType parse_type(const Json& value, const std::string& place) {
  check(value.is_string(), place, ": expected a dtype, got ", json_excerpt(value));
  const auto type = dtype_of_safetensors_code(value.get<std::string>());
  check(type.has_value(), place, ": dtype ", json_excerpt(value), " is not supported");
  return *type;
}

Shape parse_shape(const Json& value, const std::string& place) {
  check(value.is_array(), place, ": expected a shape, got ", json_excerpt(value));
  Shape shape;
  for (const Json& size : value) {
    check(size.is_number_unsigned() && size.get<uint64_t>() <= INT64_MAX, place, ": ",
          json_excerpt(size), " is not a size");
    shape.push_back(size.get<int64_t>());
  }
  return shape;
}

Extent parse_extent(const Json& value, const std::string& place) {
  const bool pair = value.is_array() && value.size() == 2 && value[0].is_number_unsigned() &&
                    value[1].is_number_unsigned();
  check(pair, place, ": data_offsets: expected two positions, got ", json_excerpt(value));
  return {value[0].get<uint64_t>(), value[1].get<uint64_t>()};
}

// The format promises that tensors lie end to end: no byte is used twice and none is hidden.
void check_extents(std::vector<Extent> extents, uint64_t size, const std::string& name) {
  std::ranges::sort(extents, {}, [](const Extent& e) { return std::pair(e.begin, e.end); });
  uint64_t at = 0;
  for (const Extent& extent : extents) {
    check(extent.begin == at, name, ": tensors overlap or leave a gap at byte ", at,
          " of the data");
    at = extent.end;
  }
  check(at == size, name, ": tensors take ", at, " bytes, the file holds ", size);
}

}  // namespace

bool looks_like_safetensors(Bytes file) {
  if (file.size() < 9 || file[8] != std::byte{'{'}) return false;
  return little_endian<uint64_t>(file, 0) <= kLongestHeader;
}

Safetensors::Safetensors(const std::filesystem::path& path) : file_(path), bytes_(file_->bytes()) {
  parse(path.string());
}

Safetensors::Safetensors(Bytes file, const std::string& name) : bytes_(file) { parse(name); }

void Safetensors::parse(const std::string& name) {
  check(looks_like_safetensors(bytes_), name, ": is not a .safetensors file");
  const auto header_size = little_endian<uint64_t>(bytes_, 0);
  check(header_size <= bytes_.size() - 8, name, ": is cut short within its header");
  const Bytes data = bytes_.subspan(8 + header_size);
  std::vector<Extent> extents;
  const auto add = [&](const std::string& key, Json&& value) {
    if (key == kMetadataKey) {
      metadata_ = parse_metadata(value, name);
      return;
    }
    const std::string place = where(name, key);
    check(value.is_object() && value.contains("dtype") && value.contains("shape") &&
              value.contains("data_offsets"),
          place, ": expected dtype, shape and data_offsets");
    const DType type = parse_type(value["dtype"], place);
    Shape shape = parse_shape(value["shape"], place);
    const Extent extent = parse_extent(value["data_offsets"], place);
    check(extent.begin <= extent.end && extent.end <= data.size(), place,
          ": reaches beyond the end of the file (bytes ", extent.begin, " to ", extent.end, " of ",
          data.size(), "; is it cut short?)");
    const int64_t needed = byte_count(type, shape);
    const uint64_t size = extent.end - extent.begin;
    check(needed >= 0 && static_cast<uint64_t>(needed) == size, place, ": ", shape_text(shape), " ",
          name_of(type), " does not take ", size, " bytes");
    extents.push_back(extent);
    const bool fresh =
        tensors_.try_emplace(key, type, std::move(shape), data.subspan(extent.begin, size)).second;
    check(fresh, place, ": stands twice in the header");
  };
  for_each_json_entry(as_text(bytes_.subspan(8, header_size)), name + ": header", "", add);
  check_extents(std::move(extents), data.size(), name);
}

void write_safetensors(const std::filesystem::path& path, const std::vector<NamedView>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  auto header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[kMetadataKey] = metadata;
  uint64_t at = 0;
  for (const auto& [name, view] : tensors) {
    check(!safetensors_code(view.type).empty(), path, ": tensor ", printable(name), ": ",
          name_of(view.type), " cannot be stored as safetensors");
    const uint64_t end = at + view.bytes.size();
    header[name] = {
        {"dtype", safetensors_code(view.type)}, {"shape", view.shape}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump();
  text.append((kHeaderAlignment - (8 + text.size()) % kHeaderAlignment) % kHeaderAlignment, ' ');
  std::array<char, 8> size{};
  const uint64_t header_size = text.size();
  std::memcpy(size.data(), &header_size, size.size());
  AtomicFile file(path);
  file.write(std::string_view(size.data(), size.size()));
  file.write(text);
  for (const NamedView& tensor : tensors) file.write(tensor.view.bytes);
  file.commit();
}

}  // namespace pdvc
