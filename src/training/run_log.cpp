#include "training/run_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"

namespace pdvc {

RunLog::RunLog(const std::filesystem::path& path, uint64_t size) : path_(path) {
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  check(file_ >= 0, path, ": cannot be written: ", std::strerror(errno));
  const off_t end = lseek(file_, 0, SEEK_END);
  size_ = std::min(size, static_cast<uint64_t>(std::max<off_t>(end, 0)));
  check(ftruncate(file_, static_cast<off_t>(size_)) == 0 &&
            lseek(file_, static_cast<off_t>(size_), SEEK_SET) >= 0,
        path, ": cannot be written: ", std::strerror(errno));
}

RunLog::~RunLog() {
  try {
    flush();
  } catch (const Error&) {
    // The run ends with an error of its own, or has ended well but for its last lines.
  }
  close(file_);
}

void RunLog::write(const nlohmann::ordered_json& entry) {
  constexpr size_t kLarge = 1 << 13;  // a write for each step would cost more than the rest of it
  pending_ += json_text(entry) + "\n";
  if (pending_.size() > kLarge) flush();
}

uint64_t RunLog::size() {
  flush();
  return size_;
}

void RunLog::flush() {
  for (size_t done = 0; done < pending_.size();) {
    const ssize_t count = ::write(file_, pending_.data() + done, pending_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    check(count > 0, path_, ": cannot be written: ", std::strerror(errno));
    done += static_cast<size_t>(count);
    size_ += static_cast<uint64_t>(count);
  }
  pending_.clear();
}

}  // namespace pdvc
