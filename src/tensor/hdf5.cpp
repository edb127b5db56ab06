#include "tensor/hdf5.h"

#include "base/error.h"
#include "base/module.h"

namespace pdvc {
namespace {

using Open = Hdf5Reader*(const std::filesystem::path&);

Open* load() { return reinterpret_cast<Open*>(load_symbol("libpdvc_hdf5.so", "pdvc_open_hdf5")); }

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& path) {
  check(looks_like_hdf5(MappedFile(path).bytes()), path, ": is not an HDF5 file");
  static Open* const open = load();
  reader_.reset(open(path));
}

bool looks_like_hdf5(Bytes file) { return as_text(file).starts_with("\x89HDF\r\n\x1a\n"); }

}  // namespace pdvc
