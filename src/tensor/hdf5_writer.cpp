#include "tensor/hdf5_writer.h"

#include "base/module.h"

namespace pdvc {

void write_hdf5(const std::filesystem::path& path, const std::vector<Hdf5Entry>& entries) {
  using Write = void(const std::filesystem::path&, const std::vector<Hdf5Entry>&);
  static auto* const write =
      reinterpret_cast<Write*>(load_symbol("libpdvc_hdf5.so", "pdvc_write_hdf5"));
  write(path, entries);
}

}  // namespace pdvc
