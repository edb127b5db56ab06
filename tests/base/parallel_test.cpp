#include "base/parallel.h"

#include <atomic>
#include <csignal>
#include <vector>

#include "base/interrupt.h"
#include "support/files.h"

namespace pdvc {

TEST(Parallel, UsesAtLeastOneThread) { EXPECT_GE(available_threads(), 1); }

TEST(Parallel, VisitsEachIndexOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(threads, 1000, [&](int64_t i) { ++visits[static_cast<size_t>(i)]; });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(Parallel, DoesNothingForNothing) {
  parallel_for(4, 0, [](int64_t) { FAIL(); });
}

TEST(Parallel, RethrowsTheFirstFailureAndStops) {
  std::atomic<int> started = 0;
  EXPECT_EQ(error_of([&] {
              parallel_for(2, 1'000'000, [&](int64_t) {
                ++started;
                fail("broken");
              });
            }),
            "broken");
  EXPECT_LT(started, 10);
}

TEST(Interrupt, IsRememberedUntilAskedFor) {
  catch_interrupts();
  EXPECT_NO_THROW(check_interrupt());
  std::raise(SIGINT);
  EXPECT_THROW(check_interrupt(), Interrupted);
  std::raise(SIGINT);  // the same wish told twice
  catch_interrupts();
  EXPECT_NO_THROW(check_interrupt());
}

}  // namespace pdvc
