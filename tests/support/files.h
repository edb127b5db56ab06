// Small files for tests, made on the spot.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "tensor/array.h"

namespace pdvc {

// A folder of its own, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "pdvc-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, std::string_view contents) const {
    std::ofstream(path_ / name, std::ios::binary) << contents;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A log that remembers.
struct RecordingLog {
  std::ostringstream text;
  Log log{text, "test", Verbosity::normal};

  operator Log&() { return log; }
  std::string str() const { return text.str(); }
};

// The message of the Error that `action` throws; a failure when it throws none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

inline std::filesystem::path test_file(const std::string& name) {
  return std::filesystem::path(PDVC_TEST_FILES) / name;
}

// A file of ../shared; null where it is not beside the project. Tests that get null say so and
// skip.
inline std::filesystem::path shared_file(const std::string& name) {
  return std::filesystem::path(PDVC_SHARED) / name;
}
#define PDVC_NEEDS_SHARED(name) \
  if (!std::filesystem::exists(shared_file(name))) GTEST_SKIP() << "needs ../shared/" << (name)

// The bytes of a .npy file with the given header dictionary, version and data.
inline std::string npy_bytes(const std::string& dictionary, std::string_view data,
                             int version = 1) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  const size_t length_bytes = version == 1 ? 2 : 4;
  for (size_t i = 0; i < length_bytes; ++i)
    text += static_cast<char>(dictionary.size() >> 8 * i & 0xff);
  return text + dictionary + std::string(data);
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string text;
  for (const T& value : values) text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return text;
}

inline std::string float_npy(const Shape& shape, const std::vector<float>& values) {
  std::string sizes;
  for (const int64_t size : shape) sizes += std::to_string(size) + ", ";
  return npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (" + sizes + "), }",
                   {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

}  // namespace pdvc
