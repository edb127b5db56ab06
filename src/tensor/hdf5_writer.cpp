#include "tensor/hdf5_writer.h"

#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "tensor/hdf5_library.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

// Gone at the end unless it has become the target.
class PartialFile {
 public:
  explicit PartialFile(const fs::path& target)
      : target_(target), path_(target.string() + ".part") {}
  ~PartialFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const fs::path& path() const { return path_; }
  void commit() const { fs::rename(path_, target_); }

 private:
  fs::path target_, path_;
};

void write_data_set(hid_t file, const Hdf5Entry& entry, const fs::path& path) {
  const Array array = entry.read();
  const std::lock_guard lock(hdf5_mutex());
  std::vector<hsize_t> shape(array.shape().begin(), array.shape().end());
  const Hdf5Identifier space(
      H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const Hdf5Identifier links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Identifier set(
      H5Dcreate2(file, entry.name.c_str(), H5T_IEEE_F32LE, space, links, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  const bool written = set.valid() && H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                               array.floats().data()) >= 0;
  check(written, path, ": data set ", printable(entry.name), " cannot be written");
}

}  // namespace

void write_hdf5(const fs::path& path, const std::vector<Hdf5Entry>& entries) {
  const PartialFile partial(path);
  {
    std::optional<Hdf5Identifier> file;
    {
      const std::lock_guard lock(hdf5_mutex());
      prepare_hdf5();
      file.emplace(H5Fcreate(partial.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                   H5Fclose);
    }
    check(file->valid(), path, ": cannot be written");
    for (const Hdf5Entry& entry : entries) write_data_set(*file, entry, path);
    const std::lock_guard lock(hdf5_mutex());
    const bool whole = H5Fflush(*file, H5F_SCOPE_LOCAL) >= 0;
    file.reset();
    check(whole, path, ": cannot be written");
  }
  partial.commit();
}

}  // namespace pdvc
