// What reading and writing HDF5 share. Only for this folder's .cpp files.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

namespace pdvc {

// Debian's libhdf5 keeps global state without locks; one call at a time.
inline std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

// Closes an HDF5 identifier at the end of its scope.
class Hdf5Identifier {
 public:
  Hdf5Identifier(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Identifier() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Identifier(Hdf5Identifier&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Identifier& operator=(Hdf5Identifier&&) = delete;

  bool valid() const { return id_ >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

inline void prepare_hdf5() {
  H5dont_atexit();  // closing what a damaged file has left open can crash
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // we report errors ourselves
  H5PLset_loading_state(0);                     // a file must not make us load a library
}

}  // namespace pdvc
