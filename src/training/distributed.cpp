#include "training/distributed.h"

#include <cstdlib>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "base/error.h"

namespace pdvc {
namespace {

// Longer than any step, shorter than a night: a worker that hangs ends the run.
constexpr auto kLongestWait = std::chrono::minutes(30);

// The first of several names that is set: what torchrun calls it, then Slurm and MPI.
std::optional<std::string> variable(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name)) return value;
  return std::nullopt;
}

int whole_number(const std::string& text, const char* name, int least, int most) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  check(!text.empty() && *end == '\0' && value >= least && value <= most, name, ": is \"", text,
        "\" (expected a whole number from ", least, " to ", most, ")");
  return static_cast<int>(value);
}

template <class Action>
auto together(const Action& action) {
  try {
    return action();
  } catch (const Error&) {
    throw;
  } catch (const std::exception&) {
    fail("another worker has gone or does not answer (go on with --resume)");
  }
}

std::shared_ptr<gloo::transport::Device> network_device(const std::string& address) {
  using Gloo = c10d::ProcessGroupGloo;
  if (const char* name = std::getenv("GLOO_SOCKET_IFNAME"))
    return Gloo::createDeviceForInterface(name);
  const bool one_machine = address == "localhost" || address.starts_with("127.");
  return one_machine ? Gloo::createDeviceForHostname("127.0.0.1") : Gloo::createDefaultDevice();
}

std::shared_ptr<c10d::ProcessGroup> join(const WorkerEnvironment& environment) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(environment.port);
  options.isServer = environment.rank == 0;
  options.numWorkers = static_cast<size_t>(environment.size);
  options.timeout = std::chrono::minutes(5);
  try {
    const auto store = c10::make_intrusive<c10d::TCPStore>(environment.address, options);
    auto gloo = c10d::ProcessGroupGloo::Options::create(kLongestWait);
    gloo->devices.push_back(network_device(environment.address));
    return std::make_shared<c10d::ProcessGroupGloo>(store, environment.rank, environment.size,
                                                    gloo);
  } catch (const std::exception&) {
    fail("worker ", environment.rank, ": cannot meet the others at ", environment.address, ":",
         environment.port, " (expected ", environment.size, " workers)");
  }
}

}  // namespace

std::optional<WorkerEnvironment> worker_environment() {
  const auto address = variable({"MASTER_ADDR"}), port = variable({"MASTER_PORT"});
  const auto size = variable({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"});
  const auto rank = variable({"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"});
  const auto local =
      variable({"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"});
  // A job of Slurm or MPI alone does not mean that its processes train together.
  if (!std::getenv("RANK") && !std::getenv("WORLD_SIZE") && !address) return std::nullopt;
  check(address && port && size && rank,
        "several workers need RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT (expected all four)");
  constexpr int kMostWorkers = 65536;
  WorkerEnvironment result{.size = whole_number(*size, "WORLD_SIZE", 1, kMostWorkers),
                           .address = *address,
                           .port = whole_number(*port, "MASTER_PORT", 1, 65535)};
  result.rank = whole_number(*rank, "RANK", 0, result.size - 1);
  result.local_rank = whole_number(local.value_or("0"), "LOCAL_RANK", 0, kMostWorkers);
  return result;
}

Workers::Workers() = default;
Workers::~Workers() = default;

Workers::Workers(const WorkerEnvironment& environment) : Workers(join(environment)) {}

Workers::Workers(std::shared_ptr<c10d::ProcessGroup> group)
    : group_(std::move(group)), rank_(group_->getRank()), size_(group_->getSize()) {}

WorkerPlace Workers::place() const {
  return {static_cast<size_t>(rank_), static_cast<size_t>(size_)};
}

void Workers::sum(std::vector<double>& numbers) {
  if (!group_) return;
  const torch::Tensor tensor = torch::tensor(numbers, torch::kDouble);
  start_sum(tensor).wait();
  numbers.assign(tensor.data_ptr<double>(), tensor.data_ptr<double>() + tensor.numel());
}

void Workers::Sum::wait() {
  if (!work_) return;
  together([&] {
    (*std::static_pointer_cast<c10::intrusive_ptr<c10d::Work>>(work_))->wait();
    return 0;
  });
}

Workers::Sum Workers::start_sum(torch::Tensor tensor) {
  Sum result;
  if (!group_) return result;
  std::vector<torch::Tensor> tensors = {std::move(tensor)};
  result.work_ = std::make_shared<c10::intrusive_ptr<c10d::Work>>(
      together([&] { return group_->allreduce(tensors); }));
  return result;
}

std::vector<std::string> Workers::gather(const std::string& text) {
  if (!group_) return {text};
  std::vector<double> sizes(static_cast<size_t>(size_), 0);
  sizes[static_cast<size_t>(rank_)] = static_cast<double>(text.size());
  sum(sizes);
  std::vector<std::string> result;
  for (int from = 0; from < size_; ++from) {
    const auto bytes = static_cast<int64_t>(sizes[static_cast<size_t>(from)]);
    std::vector<torch::Tensor> part = {torch::zeros({std::max<int64_t>(bytes, 1)}, torch::kUInt8)};
    if (from == rank_) std::memcpy(part[0].data_ptr(), text.data(), text.size());
    c10d::BroadcastOptions options;
    options.rootRank = from;
    together([&] { return group_->broadcast(part, options)->wait(); });
    const auto* data = reinterpret_cast<const char*>(part[0].data_ptr<uint8_t>());
    result.emplace_back(data, static_cast<size_t>(bytes));
  }
  return result;
}

void Workers::barrier() {
  std::vector<double> nothing = {0};
  sum(nothing);
}

}  // namespace pdvc
