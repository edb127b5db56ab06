// Inside libpdvc_hdf5.so: writing.

#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/printable.h"
#include "tensor/hdf5_writer.h"
#include "tensor/libhdf5.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

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

void write_whole(const fs::path& path, const std::vector<Hdf5Entry>& entries) {
  PartialFile partial(path);
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

}  // namespace
}  // namespace pdvc

extern "C" __attribute__((visibility("default"))) void pdvc_write_hdf5(
    const std::filesystem::path& path, const std::vector<pdvc::Hdf5Entry>& entries) {
  pdvc::write_whole(path, entries);
}
