#include "tensor/hdf5.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/printable.h"
#include "tensor/hdf5_library.h"

namespace pdvc {
namespace {

constexpr int kDeepestGroup = 8;
constexpr size_t kMostDataSets = 1'000'000;
constexpr int kMostDimensions = 8;
// No filter that libhdf5 brings packs better than deflate does.
constexpr int64_t kBestRatio = 1032;
constexpr int64_t kSmall = 1 << 20;

using Identifier = Hdf5Identifier;

std::optional<DType> dtype_of(hid_t type) {
  const size_t size = H5Tget_size(type);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_FLOAT) {
    if (size == 8) return DType::f64;
    if (size == 4) return DType::f32;
    if (size == 2) return DType::f16;
  }
  if (kind == H5T_INTEGER) {
    const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
    if (size == 8) return is_signed ? DType::i64 : DType::u64;
    if (size == 4) return is_signed ? DType::i32 : DType::u32;
    if (size == 2) return is_signed ? DType::i16 : DType::u16;
    if (size == 1) return is_signed ? DType::i8 : DType::u8;
  }
  return std::nullopt;
}

// Half precision has no native type in this library: the bit pattern is asked for, little-endian.
Identifier half_type() {
  Identifier type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_fields(type, 15, 10, 5, 0, 10);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, 15);
  return type;
}

Identifier memory_type(DType type) {
  const auto native = [](hid_t id) { return Identifier(H5Tcopy(id), H5Tclose); };
  switch (type) {
    case DType::f64:
      return native(H5T_NATIVE_DOUBLE);
    case DType::f32:
      return native(H5T_NATIVE_FLOAT);
    case DType::i64:
      return native(H5T_NATIVE_INT64);
    case DType::i32:
      return native(H5T_NATIVE_INT32);
    case DType::i16:
      return native(H5T_NATIVE_INT16);
    case DType::i8:
      return native(H5T_NATIVE_INT8);
    case DType::u64:
      return native(H5T_NATIVE_UINT64);
    case DType::u32:
      return native(H5T_NATIVE_UINT32);
    case DType::u16:
      return native(H5T_NATIVE_UINT16);
    case DType::u8:
      return native(H5T_NATIVE_UINT8);
    default:
      return half_type();
  }
}

Shape shape_of(hid_t data_set, const std::string& place) {
  const Identifier space(H5Dget_space(data_set), H5Sclose);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  check(dimensions >= 0 && dimensions <= kMostDimensions, place, ": ", dimensions,
        " dimensions (expected at most ", kMostDimensions, ")");
  std::vector<hsize_t> sizes(static_cast<size_t>(dimensions));
  if (dimensions > 0) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  Shape shape;
  for (const hsize_t size : sizes) {
    check(size <= INT64_MAX, place, ": is too large");
    shape.push_back(static_cast<int64_t>(size));
  }
  return shape;
}

// Filters that libhdf5 brings itself, each at most once: stacked ones could multiply what a few
// bytes stand for.
void check_filters(hid_t creation, const std::string& place) {
  std::set<H5Z_filter_t> seen;
  for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
    unsigned flags = 0, config = 0;
    size_t values = 0;
    std::array<char, 64> title{};
    const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                               nullptr, title.size(), title.data(), &config);
    const bool known = filter >= H5Z_FILTER_DEFLATE && filter <= H5Z_FILTER_SCALEOFFSET &&
                       H5Zfilter_avail(filter) > 0;
    check(known, place, ": is compressed with ", title[0] ? printable(title.data()) : "filter",
          " (", filter, "), which is not supported (expected gzip, shuffle, szip or none)");
    check(seen.insert(filter).second, place, ": is compressed twice over");
  }
}

// A chunk is unpacked whole, so its size counts as much as the data set's. Beyond a data set that
// cannot grow it is damage.
void check_chunks(hid_t data_set, hid_t creation, const Hdf5DataSet& description, int64_t stored,
                  const std::string& place) {
  const size_t dimensions = description.shape.size();
  std::vector<hsize_t> chunk(dimensions), most(dimensions);
  const Identifier space(H5Dget_space(data_set), H5Sclose);
  const bool known = H5Pget_chunk(creation, static_cast<int>(dimensions), chunk.data()) ==
                         static_cast<int>(dimensions) &&
                     H5Sget_simple_extent_dims(space, nullptr, most.data()) >= 0;
  check(known, place, ": is damaged");
  Shape shape;
  for (size_t d = 0; d < dimensions; ++d) {
    check(chunk[d] <= UINT32_MAX &&
              (most[d] == H5S_UNLIMITED || chunk[d] <= std::max<hsize_t>(most[d], 1)),
          place, ": is damaged (chunks larger than the data set)");
    shape.push_back(static_cast<int64_t>(chunk[d]));
  }
  const int64_t size = byte_count(description.type, shape);
  check(size >= 0 && (size <= kSmall || size / kBestRatio <= stored), place, ": chunks of ",
        shape_text(shape), " cannot come from ", stored, " stored bytes");
}

// Data in other files, or assembled from other files, is refused; so are sizes the stored bytes
// cannot hold. What was never written reads as fill values, and small arrays of those are legal.
void check_storage(hid_t data_set, const Hdf5DataSet& description, const std::string& place) {
  const Identifier creation(H5Dget_create_plist(data_set), H5Pclose);
  check(creation.valid(), place, ": is damaged");
  check(H5Pget_external_count(creation) <= 0, place,
        ": keeps its data in another file, which is refused");
  const H5D_layout_t layout = H5Pget_layout(creation);
  check(layout != H5D_VIRTUAL, place, ": is assembled from other files, which is refused");
  check_filters(creation, place);
  const int64_t needed = byte_count(description.type, description.shape);
  const auto stored = static_cast<int64_t>(H5Dget_storage_size(data_set));
  const int64_t ratio = layout == H5D_CHUNKED && H5Pget_nfilters(creation) > 0 ? kBestRatio : 1;
  check(needed >= 0 && (needed <= kSmall || needed / ratio <= stored), place, ": ",
        shape_text(description.shape), " ", name_of(description.type), " cannot come from ", stored,
        " stored bytes");
  if (layout == H5D_CHUNKED) check_chunks(data_set, creation, description, stored, place);
}

bool is_null(hid_t data_set) {
  const Identifier space(H5Dget_space(data_set), H5Sclose);
  return H5Sget_simple_extent_type(space) == H5S_NULL;
}

// Texts and records sit beside features in some files.
Hdf5DataSet describe(hid_t data_set, const std::string& name, const std::string& place) {
  const Identifier type(H5Dget_type(data_set), H5Tclose);
  const auto element = dtype_of(type);
  check(element.has_value(), place, ": expected numbers");
  check(!is_null(data_set), place, ": holds nothing");
  return {name, *element, shape_of(data_set, place)};
}

struct Walk {
  std::string file;
  Hdf5Contents contents;
  size_t links = 0;
  std::set<haddr_t> visited;  // objects may have several names, groups may contain themselves
};

void walk_group(hid_t group, const std::string& prefix, int depth, Walk& walk);

void visit_link(hid_t group, const std::string& link, const std::string& prefix, int depth,
                Walk& walk) {
  const std::string name = prefix + link;
  const std::string place = walk.file + ": " + printable(name);
  H5L_info_t info{};
  check(H5Lget_info(group, link.c_str(), &info, H5P_DEFAULT) >= 0, place, ": is damaged");
  check(info.type == H5L_TYPE_HARD, place,
        ": is a link, which is refused (expected the data set itself)");
  const Identifier object(H5Oopen(group, link.c_str(), H5P_DEFAULT), H5Oclose);
  check(object.valid(), place, ": is damaged");
  if (!walk.visited.insert(info.u.address).second) return;
  const H5I_type_t kind = H5Iget_type(object);
  if (kind == H5I_GROUP) walk_group(object, name + "/", depth + 1, walk);
  if (kind == H5I_DATASET) walk.contents.data_sets.push_back(describe(object, name, place));
}

// All names in one pass: asking for them by number takes time that grows with the square.
std::vector<std::string> names_in(hid_t group, const std::string& file) {
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    auto& found = *static_cast<std::vector<std::string>*>(list);
    found.emplace_back(name);
    return found.size() > kMostDataSets ? 1 : 0;  // stops there
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names) >= 0, file,
        ": is damaged");
  return names;
}

// Depth is bounded because hard links may form circles, the number because they may multiply.
void walk_group(hid_t group, const std::string& prefix, int depth, Walk& walk) {
  check(depth <= kDeepestGroup, walk.file, ": ", printable(prefix), ": groups nest deeper than ",
        kDeepestGroup);
  for (const std::string& link : names_in(group, walk.file)) {
    check(++walk.links <= kMostDataSets, walk.file, ": more than ", kMostDataSets, " names");
    try {
      visit_link(group, link, prefix, depth, walk);
    } catch (const Error& error) {  // one odd entry does not spoil the others
      walk.contents.refused.emplace_back(error.what());
    }
  }
}

// Whether each part of "group/data set" is a hard link, tested before anything is opened through
// it.
bool leads_to_object(hid_t file, const std::string& name, const std::string& place) {
  for (size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t info{};
    const bool known = H5Lget_info(file, part.c_str(), &info, H5P_DEFAULT) >= 0;
    check(known && info.type == H5L_TYPE_HARD, place,
          ": is a link, which is refused (expected the data set itself)");
  }
  return true;
}

}  // namespace

struct Hdf5File::Handle {
  std::string name;
  Identifier file;

  std::string place(const std::string& data_set) const { return name + ": " + printable(data_set); }
};

Hdf5File::Hdf5File(const std::filesystem::path& path) {
  check(looks_like_hdf5(MappedFile(path).bytes()), path, ": is not an HDF5 file");
  const std::lock_guard lock(hdf5_mutex());
  prepare_hdf5();
  Identifier file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  check(file.valid(), path, ": is damaged or cut short (HDF5 cannot open it)");
  handle_ = std::make_unique<Handle>(Handle{path.string(), std::move(file)});
}

Hdf5File::~Hdf5File() {
  const std::lock_guard lock(hdf5_mutex());
  handle_.reset();
}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;

Hdf5Contents Hdf5File::contents() const {
  const std::lock_guard lock(hdf5_mutex());
  Walk walk{.file = handle_->name};
  const Identifier root(H5Gopen2(handle_->file, "/", H5P_DEFAULT), H5Gclose);
  check(root.valid(), handle_->name, ": is damaged");
  walk_group(root, "", 0, walk);
  return std::move(walk.contents);
}

bool Hdf5File::contains(const std::string& name) const {
  const std::lock_guard lock(hdf5_mutex());
  return leads_to_object(handle_->file, name, handle_->place(name));
}

Array Hdf5File::read(const std::string& name) const {
  const std::lock_guard lock(hdf5_mutex());
  const std::string place = handle_->place(name);
  check(leads_to_object(handle_->file, name, place), place, ": no such data set");
  const Identifier data_set(H5Dopen2(handle_->file, name.c_str(), H5P_DEFAULT), H5Dclose);
  check(data_set.valid(), place, ": is not a data set");
  const Hdf5DataSet description = describe(data_set, name, place);
  check_storage(data_set, description, place);
  Array array(description.type, description.shape);
  const Identifier type = memory_type(description.type);
  const herr_t result =
      H5Dread(data_set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes().data());
  check(result >= 0, place, ": is damaged (HDF5 cannot read it)");
  return array;
}

bool looks_like_hdf5(Bytes file) { return as_text(file).starts_with("\x89HDF\r\n\x1a\n"); }

}  // namespace pdvc
