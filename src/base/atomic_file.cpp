#include "base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace pdvc {
namespace {

constexpr int kLongestLinkChain = 40;  // as many as the kernel follows

void sync_folder(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;  // the rename itself has succeeded
  fsync(handle);
  close(handle);
}

[[noreturn]] void fail_to_write(const std::filesystem::path& target, int code) {
  fail(target, ": cannot be written: ", std::strerror(code));
}

struct NewFile {
  std::filesystem::path path;
  int handle = -1;
};

// A name of its own for every process and attempt; a leftover of a killed run is passed over.
NewFile make_beside(const std::filesystem::path& target) {
  NewFile file;
  for (int attempt = 0; file.handle < 0 && (attempt == 0 || errno == EEXIST); ++attempt) {
    // A short name of its own: the target's may be as long as the file system allows, and its
    // extension would make others take it for whole.
    file.path = target.parent_path() / join_text(".pdvc-partial-", getpid(), "-", attempt);
    file.handle = open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file.handle < 0) fail_to_write(target, errno);
  return file;
}

void put_in_place(const std::filesystem::path& partial, const std::filesystem::path& target) {
  if (rename(partial.c_str(), target.c_str()) != 0) fail_to_write(target, errno);
  sync_folder(target);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  std::error_code code;
  const auto status = std::filesystem::status(target_, code);
  check(!std::filesystem::is_directory(status), target_,
        ": is a folder (expected a file to write)");
  // Following a link by hand: one that points nowhere yet is to be filled, not replaced.
  for (int i = 0; i < kLongestLinkChain && std::filesystem::is_symlink(target_, code); ++i)
    target_ = target_.parent_path() / std::filesystem::read_symlink(target_, code);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    file_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    check(file_ >= 0, target_, ": cannot be written: ", std::strerror(errno));
  } else {
    NewFile made = make_beside(target_);
    partial_ = std::move(made.path);
    file_ = made.handle;
  }
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) close(file_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

void AtomicFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_writing(errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void AtomicFile::commit() {
  // A device or pipe cannot be synchronised; a file must be on disk before it takes the target's
  // name.
  if (!partial_.empty() && fsync(file_) != 0) fail_writing(errno);
  if (close(std::exchange(file_, -1)) != 0) fail_writing(errno);
  if (partial_.empty()) return;
  put_in_place(partial_, target_);
  partial_.clear();
}

void AtomicFile::fail_writing(int code) { fail_to_write(target_, code); }

PartialFile::PartialFile(std::filesystem::path target) : target_(std::move(target)) {
  NewFile made = make_beside(target_);
  close(made.handle);
  path_ = std::move(made.path);
}

PartialFile::~PartialFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

void PartialFile::commit() {
  const int handle = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool kept = handle >= 0 && fsync(handle) == 0;
  const int code = errno;
  if (handle >= 0) close(handle);
  if (!kept) fail_to_write(target_, code);
  put_in_place(path_, target_);
  path_.clear();
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

}  // namespace pdvc
