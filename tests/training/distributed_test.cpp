#include "training/distributed.h"

#include <gtest/gtest.h>

#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

namespace pdvc {
namespace {

// One worker of a group that lives in the threads of this process, on the loopback interface.
std::unique_ptr<c10d::ProcessGroupGloo> worker(const c10::intrusive_ptr<c10d::Store>& store,
                                               int rank, int size) {
  auto options = c10d::ProcessGroupGloo::Options::create();
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
  return std::make_unique<c10d::ProcessGroupGloo>(store, rank, size, options);
}

}  // namespace

TEST(Distributed, AveragesTheNumberOfEventsOverWorkers) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  Normalizers results[2];
  std::thread other([&] {
    results[1] = averaged_over_workers(*worker(store, 1, 2), {.events = 2, .captions = 1});
  });
  results[0] = averaged_over_workers(*worker(store, 0, 2), {.events = 5, .captions = 4});
  other.join();
  for (const Normalizers& result : results) {
    EXPECT_EQ(result.events, 3.5);
    EXPECT_EQ(result.captions, 2.5);
  }
}

}  // namespace pdvc
