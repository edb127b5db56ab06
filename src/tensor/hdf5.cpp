#include "tensor/hdf5.h"

#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/printable.h"

namespace pdvc {
namespace {

constexpr int kDeepestGroup = 8;
constexpr size_t kMostDataSets = 1'000'000;
constexpr int kMostDimensions = 8;
constexpr size_t kLongestName = 1024;
// No filter that libhdf5 brings packs better than deflate does.
constexpr int64_t kBestRatio = 1032;

// Debian's libhdf5 keeps global state without locks; one call at a time.
std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

// Closes an HDF5 identifier at the end of its scope.
class Identifier {
 public:
  Identifier(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Identifier() {
    if (id_ >= 0) close_(id_);
  }
  Identifier(Identifier&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Identifier& operator=(Identifier&&) = delete;

  bool valid() const { return id_ >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void prepare_library() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // we report errors ourselves
  H5PLset_loading_state(0);                     // a file must not make us load a library
}

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

// Data in other files, or assembled from other files, is refused; so are sizes the stored bytes
// cannot hold.
void check_storage(hid_t data_set, const Hdf5DataSet& description, const std::string& place) {
  const Identifier creation(H5Dget_create_plist(data_set), H5Pclose);
  check(creation.valid(), place, ": is damaged");
  check(H5Pget_external_count(creation) <= 0, place,
        ": keeps its data in another file, which is refused");
  const H5D_layout_t layout = H5Pget_layout(creation);
  check(layout != H5D_VIRTUAL, place, ": is assembled from other files, which is refused");
  const int64_t needed = byte_count(description.type, description.shape);
  const auto stored = static_cast<int64_t>(H5Dget_storage_size(data_set));
  const int64_t ratio = layout == H5D_CHUNKED && H5Pget_nfilters(creation) > 0 ? kBestRatio : 1;
  check(needed >= 0 && needed / ratio <= stored, place, ": ", shape_text(description.shape), " ",
        name_of(description.type), " cannot come from ", stored, " stored bytes");
}

std::optional<Hdf5DataSet> describe(hid_t data_set, const std::string& name,
                                    const std::string& place) {
  const Identifier type(H5Dget_type(data_set), H5Tclose);
  const auto element = dtype_of(type);
  if (!element) return std::nullopt;  // texts and records sit beside features in some files
  return Hdf5DataSet{name, *element, shape_of(data_set, place)};
}

struct Walk {
  std::string file;
  std::vector<Hdf5DataSet> found;
};

void walk_group(hid_t group, const std::string& prefix, int depth, Walk& walk);

void visit_link(hid_t group, const std::string& link, const std::string& prefix, int depth,
                Walk& walk) {
  const std::string name = prefix + link;
  const std::string place = walk.file + ": " + printable(name);
  H5L_info_t info{};
  check(H5Lget_info(group, link.c_str(), &info, H5P_DEFAULT) >= 0, place, ": is damaged");
  check(info.type == H5L_TYPE_HARD, place, ": is a link to somewhere else, which is refused");
  const Identifier object(H5Oopen(group, link.c_str(), H5P_DEFAULT), H5Oclose);
  check(object.valid(), place, ": is damaged");
  const H5I_type_t kind = H5Iget_type(object);
  if (kind == H5I_GROUP) walk_group(object, name + "/", depth + 1, walk);
  if (kind != H5I_DATASET) return;
  check(walk.found.size() < kMostDataSets, walk.file, ": more than ", kMostDataSets, " data sets");
  if (auto data_set = describe(object, name, place)) walk.found.push_back(std::move(*data_set));
}

// Depth is bounded because hard links may form circles.
void walk_group(hid_t group, const std::string& prefix, int depth, Walk& walk) {
  check(depth <= kDeepestGroup, walk.file, ": ", printable(prefix), ": groups nest deeper than ",
        kDeepestGroup);
  H5G_info_t info{};
  check(H5Gget_info(group, &info) >= 0, walk.file, ": is damaged");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    std::string link(kLongestName, '\0');
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                              link.data(), link.size(), H5P_DEFAULT);
    check(length >= 0 && static_cast<size_t>(length) < kLongestName, walk.file,
          ": a name in it is damaged");
    link.resize(static_cast<size_t>(length));
    visit_link(group, link, prefix, depth, walk);
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
          ": is a link to somewhere else, which is refused");
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
  const std::lock_guard lock(library_mutex());
  prepare_library();
  Identifier file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  check(file.valid(), path, ": is damaged or cut short (HDF5 cannot open it)");
  handle_ = std::make_unique<Handle>(Handle{path.string(), std::move(file)});
}

Hdf5File::~Hdf5File() {
  const std::lock_guard lock(library_mutex());
  handle_.reset();
}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;

std::vector<Hdf5DataSet> Hdf5File::data_sets() const {
  const std::lock_guard lock(library_mutex());
  Walk walk{handle_->name, {}};
  const Identifier root(H5Gopen2(handle_->file, "/", H5P_DEFAULT), H5Gclose);
  check(root.valid(), handle_->name, ": is damaged");
  walk_group(root, "", 0, walk);
  return std::move(walk.found);
}

bool Hdf5File::contains(const std::string& name) const {
  const std::lock_guard lock(library_mutex());
  return leads_to_object(handle_->file, name, handle_->place(name));
}

Array Hdf5File::read(const std::string& name) const {
  const std::lock_guard lock(library_mutex());
  const std::string place = handle_->place(name);
  check(leads_to_object(handle_->file, name, place), place, ": no such data set");
  const Identifier data_set(H5Dopen2(handle_->file, name.c_str(), H5P_DEFAULT), H5Dclose);
  check(data_set.valid(), place, ": is not a data set");
  const auto description = describe(data_set, name, place);
  check(description.has_value(), place, ": expected numbers");
  check_storage(data_set, *description, place);
  Array array(description->type, description->shape);
  const Identifier type = memory_type(description->type);
  const herr_t result =
      H5Dread(data_set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes().data());
  check(result >= 0, place, ": is damaged (HDF5 cannot read it)");
  return array;
}

bool looks_like_hdf5(Bytes file) { return as_text(file).starts_with("\x89HDF\r\n\x1a\n"); }

}  // namespace pdvc
