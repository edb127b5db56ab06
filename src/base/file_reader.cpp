#include "base/file_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/mapped_file.h"

namespace pdvc {

FileReader::FileReader(std::filesystem::path path) : path_(std::move(path)) {
  check_is_file(path_);
  file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  check(file_ >= 0, path_, ": cannot be opened: ", std::strerror(errno));
  struct stat status {};
  const bool regular = fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
  size_ = static_cast<size_t>(status.st_size);
  if (regular && size_ > 0) return;
  close(file_);
  fail(path_, regular ? ": is empty" : ": is not a regular file");
}

FileReader::~FileReader() { close(file_); }

void FileReader::read_at(size_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = pread(file_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    check(got >= 0, path_, ": cannot be read: ", std::strerror(errno));
    check(got > 0, path_, ": ends early");
    out = out.subspan(static_cast<size_t>(got));
    offset += static_cast<size_t>(got);
  }
}

}  // namespace pdvc
