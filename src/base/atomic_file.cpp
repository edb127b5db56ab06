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
    open_beside_target();
  }
}

// A name of its own for every process and attempt; a leftover of a killed run is passed over.
void AtomicFile::open_beside_target() {
  for (int attempt = 0; file_ < 0 && (attempt == 0 || errno == EEXIST); ++attempt) {
    // A short name of its own: the target's may be as long as the file system allows.
    partial_ = target_.parent_path() / join_text(".pdvc-partial-", getpid(), "-", attempt);
    file_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file_ >= 0) return;
  partial_.clear();  // nothing of ours to remove
  fail_writing(errno);
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
  if (rename(partial_.c_str(), target_.c_str()) != 0) fail_writing(errno);
  partial_.clear();
  sync_folder(target_);
}

void AtomicFile::fail_writing(int code) {
  fail(target_, ": cannot be written: ", std::strerror(code));
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

}  // namespace pdvc
