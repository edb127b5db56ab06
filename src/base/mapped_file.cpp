#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace pdvc {

std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

void check_is_file(const std::filesystem::path& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  check(status.type() != std::filesystem::file_type::not_found, path, ": no such file");
  check(!code, path, ": cannot be read: ", code.message());
  check(!std::filesystem::is_directory(status), path, ": is a folder (expected a file)");
}

void give_back_pages(Bytes mapped) {
  // Page by page: what shares a page with other bytes may be dropped as well, since all of it is
  // the file's.
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const size_t before = reinterpret_cast<uintptr_t>(mapped.data()) % page;
  madvise(const_cast<std::byte*>(mapped.data()) - before, before + mapped.size(), MADV_DONTNEED);
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  check_is_file(path);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  check(file >= 0, path, ": cannot be opened: ", std::strerror(errno));
  struct stat status {};
  const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  size_ = regular ? static_cast<size_t>(status.st_size) : 0;
  void* data = size_ > 0 ? mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  const std::string reason = std::strerror(errno);
  close(file);
  check(regular, path, ": is not a regular file");
  check(size_ > 0, path, ": is empty");
  check(data != MAP_FAILED, path, ": cannot be mapped: ", reason);
  data_ = static_cast<const std::byte*>(data);
}

MappedFile::~MappedFile() {
  if (data_) munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace pdvc
