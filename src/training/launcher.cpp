#include "training/launcher.h"

#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/process.h"

namespace pdvc {
namespace {

// One that was free a moment ago.
int free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound = listener >= 0 && bind(listener, generic, size) == 0 &&
                     getsockname(listener, generic, &size) == 0;
  if (listener >= 0) close(listener);
  check(bound, "workers cannot meet: the loopback network is not there");
  return ntohs(address.sin_port);
}

// Each worker gets its part of the threads.
std::vector<std::string> worker_words(const LocalWorkers& workers) {
  std::vector<std::string> words = {"pdvc-train"};
  for (size_t i = 0; i < workers.words.size(); ++i) {
    if (workers.words[i].starts_with("--threads=")) continue;
    if (workers.words[i] == "--threads")
      ++i;
    else
      words.push_back(workers.words[i]);
  }
  words.push_back("--threads=" + std::to_string(std::max(workers.threads / workers.count, 1)));
  return words;
}

[[noreturn]] void become_worker(const LocalWorkers& workers, int rank, int port) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive the one that waits for it
  const auto set = [](const char* name, const std::string& value) {
    setenv(name, value.c_str(), /*replace=*/1);
  };
  set("RANK", std::to_string(rank));
  set("LOCAL_RANK", std::to_string(rank));
  set("WORLD_SIZE", std::to_string(workers.count));
  set("MASTER_ADDR", "127.0.0.1");
  set("MASTER_PORT", std::to_string(port));
  const std::vector<std::string> words = worker_words(workers);
  execv("/proc/self/exe", argument_pointers(words).data());
  _exit(127);
}

int exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The next worker that ends; none yet: 0.
pid_t ended_worker(int& status) {
  const pid_t ended = waitpid(-1, &status, WNOHANG);
  if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return ended;
}

// Who is asked to stop tells the workers, and they agree on where.
int wait_for_all(std::vector<pid_t> running, Log& log) {
  int result = 0;
  bool told = false;
  while (!running.empty()) {
    if (interrupt_requested() && !told) {
      for (const pid_t worker : running) kill(worker, SIGINT);
      told = true;
    }
    int status = 0;
    const pid_t ended = ended_worker(status);
    const auto at = std::ranges::find(running, ended);
    if (at == running.end()) continue;
    running.erase(at);
    const int code = exit_code(status);
    if (code == 0 || result != 0) continue;
    result = code;
    constexpr int kInterrupted = 130;
    if (code == kInterrupted) continue;
    if (WIFSIGNALED(status))
      log.error(join_text("a worker was ended by signal ", WTERMSIG(status),
                          "; the run stops (go on with --resume)"));
    for (const pid_t other : running) kill(other, SIGKILL);  // they would wait for it
  }
  return result;
}

}  // namespace

int run_workers(const LocalWorkers& workers, Log& log) {
  const int port = free_port();
  std::vector<pid_t> running;
  for (int rank = 0; rank < workers.count; ++rank) {
    const pid_t child = fork();
    if (child == 0) become_worker(workers, rank, port);
    if (child < 0) {
      for (const pid_t other : running) kill(other, SIGKILL);
      fail("worker ", rank, ": cannot be started");
    }
    running.push_back(child);
  }
  return wait_for_all(running, log);
}

}  // namespace pdvc
