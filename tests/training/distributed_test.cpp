#include "training/distributed.h"

#include <gmock/gmock.h>

#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "support/files.h"
#include "training/gradient_exchange.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

// Workers that live in the threads of this process, on the loopback interface.
void with_workers(int size, const std::function<void(Workers&)>& work) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      auto options = c10d::ProcessGroupGloo::Options::create();
      options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
      Workers workers(std::make_shared<c10d::ProcessGroupGloo>(store, rank, size, options));
      work(workers);
    });
  for (std::thread& thread : threads) thread.join();
}

// Sets variables for a while.
class Variables {
 public:
  explicit Variables(std::vector<std::pair<std::string, std::string>> values)
      : values_(std::move(values)) {
    for (const auto& [name, value] : values_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (const auto& [name, value] : values_) unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace

TEST(Workers, AreFoundTheWayTorchrunAnnouncesThem) {
  EXPECT_FALSE(worker_environment().has_value());
  const Variables set({{"RANK", "2"},
                       {"WORLD_SIZE", "4"},
                       {"LOCAL_RANK", "1"},
                       {"MASTER_ADDR", "node7"},
                       {"MASTER_PORT", "29500"}});
  const auto environment = worker_environment();
  ASSERT_TRUE(environment.has_value());
  EXPECT_EQ(environment->rank, 2);
  EXPECT_EQ(environment->size, 4);
  EXPECT_EQ(environment->local_rank, 1);
  EXPECT_EQ(environment->address, "node7");
  EXPECT_EQ(environment->port, 29500);
}

TEST(Workers, AreFoundUnderTheNamesOfSlurm) {
  const Variables set({{"SLURM_PROCID", "1"},
                       {"SLURM_NTASKS", "2"},
                       {"MASTER_ADDR", "node7"},
                       {"MASTER_PORT", "29500"}});
  EXPECT_EQ(worker_environment()->rank, 1);
  EXPECT_EQ(worker_environment()->size, 2);
}

TEST(Workers, SayWhatIsMissingOrWrong) {
  {
    const Variables set({{"RANK", "0"}, {"WORLD_SIZE", "2"}});
    EXPECT_EQ(error_of([] { worker_environment(); }),
              "several workers need RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT (expected all "
              "four)");
  }
  const Variables set(
      {{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "localhost"}, {"MASTER_PORT", "29500"}});
  EXPECT_EQ(error_of([] { worker_environment(); }),
            "RANK: is \"2\" (expected a whole number from 0 to 1)");
}

TEST(Workers, SumNumbersAndGatherTexts) {
  with_workers(2, [](Workers& workers) {
    std::vector<double> numbers = {1.0 + workers.rank(), 5};
    workers.sum(numbers);
    EXPECT_THAT(numbers, ElementsAre(3, 10));
    EXPECT_THAT(workers.gather(workers.is_first() ? "first" : ""), ElementsAre("first", ""));
  });
}

TEST(GradientExchange, AveragesGradientsAndLeavesUnusedParametersAlone) {
  const Variables network(
      std::vector<std::pair<std::string, std::string>>{{"PDVC_NO_SHARED_MEMORY", "1"}});
  with_workers(2, [](Workers& workers) {
    const auto parameter = [] { return torch::ones({3}).requires_grad_(); };
    torch::Tensor used = parameter(), once = parameter(), never = parameter();
    GradientExchange exchange({used, once, never}, workers);
    for (int round = 0; round < 2; ++round) {
      for (torch::Tensor* each : {&used, &once, &never}) each->mutable_grad() = torch::Tensor();
      exchange.begin();
      torch::Tensor loss = (used * (1.0 + workers.rank())).sum();
      if (workers.is_first()) loss = loss + (once * 4).sum();
      loss.backward();
      std::vector<double> numbers = {7};
      exchange.finish(numbers);
      EXPECT_THAT(numbers, ElementsAre(14));
      EXPECT_TRUE(used.grad().equal(torch::full({3}, 1.5)));
      EXPECT_TRUE(once.grad().equal(torch::full({3}, 2.0)));
      EXPECT_FALSE(never.grad().defined());
    }
  });
}

// Each parameter is stepped by one worker, and all see it.
TEST(GradientExchange, SharesGradientsWeightsAndStepsThroughMemory) {
  with_workers(3, [](Workers& workers) {
    torch::Tensor first = torch::ones({4}).requires_grad_(),
                  second = torch::ones({5}).requires_grad_();
    Adam optimizer({first, second}, {.learning_rate = 0.5, .weight_decay = 0});
    GradientExchange exchange({first, second}, workers);
    ASSERT_TRUE(exchange.shares_weights());
    exchange.share(optimizer);
    workers.barrier();
    exchange.begin();
    if (workers.rank() < 2)  // the third has no video
      ((first * 4.5).sum() + (second * 1.5 * (1 + workers.rank())).sum()).backward();
    std::vector<double> numbers;
    const auto norm = exchange.finish(numbers);
    ASSERT_TRUE(norm.has_value());
    EXPECT_NEAR(*norm, std::sqrt(4 * 9.0 + 5 * 2.25), 1e-6);
    optimizer.step(1e9, norm);
    workers.barrier();
    EXPECT_TRUE(torch::allclose(first, torch::full({4}, 0.5)));
    EXPECT_TRUE(torch::allclose(second, torch::full({5}, 0.5)));
    workers.barrier();
  });
}

TEST(GradientExchange, DoesNotWaitForAWorkerWithoutAVideo) {
  const Variables network(
      std::vector<std::pair<std::string, std::string>>{{"PDVC_NO_SHARED_MEMORY", "1"}});
  with_workers(2, [](Workers& workers) {
    torch::Tensor weight = torch::ones({2}).requires_grad_();
    GradientExchange exchange({weight}, workers);
    exchange.begin();
    if (workers.is_first()) (weight * 3).sum().backward();
    std::vector<double> numbers;
    exchange.finish(numbers);
    EXPECT_TRUE(weight.grad().equal(torch::full({2}, 1.5)));
  });
}

}  // namespace pdvc
