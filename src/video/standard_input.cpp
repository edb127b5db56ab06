#include "video/standard_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"

namespace pdvc {
namespace {

int nameless_file() {
  std::string name = std::filesystem::temp_directory_path() / "pdvc-input-XXXXXX";
  const int file = mkstemp(name.data());
  check(file >= 0, name, ": cannot be made: ", std::strerror(errno));
  unlink(name.c_str());
  return file;
}

void write_all(int file, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    check(written > 0, "standard input: cannot be kept: ", std::strerror(errno));
    data += written;
    size -= static_cast<size_t>(written);
  }
}

// A read that waits would not notice that the user asks to stop.
void wait_for_input() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  constexpr int kMilliseconds = 100;
  int ready = 0;
  while (ready == 0 || (ready < 0 && errno == EINTR)) {
    check_interrupt();
    ready = poll(&input, 1, kMilliseconds);
  }
}

void copy_standard_input(int file) {
  std::vector<char> block(size_t{1} << 20);
  bool any = false;
  for (;;) {
    wait_for_input();
    const ssize_t got = read(STDIN_FILENO, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    check(got >= 0, "standard input: cannot be read: ", std::strerror(errno));
    if (got == 0) break;
    any = true;
    write_all(file, block.data(), static_cast<size_t>(got));
  }
  check(any, "standard input: is empty (expected a video)");
}

}  // namespace

StandardInput::StandardInput() : file_(nameless_file()) {
  try {
    copy_standard_input(file_);
  } catch (...) {
    close(file_);
    throw;
  }
}

StandardInput::~StandardInput() { close(file_); }

std::filesystem::path StandardInput::path() const {
  return "/proc/self/fd/" + std::to_string(file_);
}

}  // namespace pdvc
