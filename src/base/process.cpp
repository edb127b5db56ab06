#include "base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/interrupt.h"

namespace pdvc {
namespace {

class Pipe {
 public:
  Pipe() {
    check(pipe2(ends_.data(), O_CLOEXEC) == 0, "cannot make a pipe: ", std::strerror(errno));
  }
  ~Pipe() {
    close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

pid_t start(const std::vector<std::string>& words, const Pipe& output) {
  const std::vector<char*> arguments = argument_pointers(words);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writing(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.writing(), STDERR_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  check(error == 0, words[0], ": cannot be started: ", std::strerror(error));
  return child;
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

std::vector<char*> argument_pointers(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

ProcessResult run_process(const std::vector<std::string>& words) {
  Pipe output;
  const pid_t child = start(words, output);
  output.close_writing();
  ProcessResult result;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t count = read(output.reading(), block.data(), block.size());
    if (interrupt_requested()) kill(child, SIGTERM);
    if (count > 0) result.output.append(block.data(), static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  result.code = exit_code_of(child);
  check_interrupt();
  return result;
}

}  // namespace pdvc
