#include "training/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace pdvc {
namespace {

// The running system and what this process sees of it: equal texts can share memory by name.
std::string machine() {
  if (std::getenv("PDVC_NO_SHARED_MEMORY") != nullptr) return "";
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  std::error_code code;
  const auto space = std::filesystem::read_symlink("/proc/self/ns/mnt", code);
  return boot.empty() || code ? "" : boot + space.string();
}

// Owns the descriptor of a named block.
class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool valid() const { return file_ >= 0; }
  operator int() const { return file_; }

 private:
  int file_;
};

// All of it at once: a machine without room must say so now, not by a signal in the middle of a
// step.
bool make_room(int file, size_t bytes) {
  return posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0;
}

std::byte* map(int file, size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

bool all_agree(Workers& workers, bool own) {
  std::vector<double> votes = {own ? 1.0 : 0.0};
  workers.sum(votes);
  return votes[0] == workers.size();
}

}  // namespace

std::unique_ptr<SharedMemory> SharedMemory::open(Workers& workers, size_t bytes) {
  const std::vector<std::string> machines = workers.gather(machine());
  const bool one = !machines[0].empty() && std::ranges::count(machines, machines[0]) ==
                                               static_cast<std::ptrdiff_t>(machines.size());
  if (!one || workers.size() == 1) return nullptr;
  const std::string name = workers.gather(join_text("/pdvc-train-", getpid()))[0];
  std::byte* data = nullptr;
  if (workers.is_first()) {
    const Descriptor file(shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (file.valid() && make_room(file, bytes)) data = map(file, bytes);
  }
  workers.barrier();
  if (!workers.is_first()) {
    const Descriptor file(shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0));
    if (file.valid()) data = map(file, bytes);
  }
  const bool shared = all_agree(workers, data != nullptr);
  if (workers.is_first()) shm_unlink(name.c_str());  // nothing is left behind, whatever happens
  std::unique_ptr<SharedMemory> result(data ? new SharedMemory(data, bytes) : nullptr);
  return shared ? std::move(result) : nullptr;
}

SharedMemory::~SharedMemory() { munmap(data_, size_); }

}  // namespace pdvc
