#include "kernels/buffer_plan.h"

#include <gmock/gmock.h>

#include <random>

namespace pdvc {

TEST(BufferPlan, UsesMemoryAgain) {
  // A chain: each result is read by the next step only.
  const BufferPlan plan =
      plan_buffers(std::vector<Lifetime>{{0, 1, 10}, {1, 2, 30}, {2, 3, 10}, {3, 4, 20}});
  EXPECT_THAT(plan.buffers, testing::ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(plan.sizes, testing::ElementsAre(10, 30));
}

TEST(BufferPlan, GivesNoMemoryToWhatIsNeverMade) {
  EXPECT_TRUE(plan_buffers(std::vector<Lifetime>{{}, {}}).sizes.empty());
}

TEST(BufferPlan, KeepsApartWhatLivesAtTheSameTime) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<Lifetime> results;
    for (size_t i = 0; i < 40; ++i) results.push_back({i, i + random() % 9, 1 + random() % 1000});
    const BufferPlan plan = plan_buffers(results);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_LE(results[i].bytes, plan.sizes[plan.buffers[i]]);
      for (size_t j = 0; j < i; ++j)
        if (results[j].last >= results[i].first) {
          ASSERT_NE(plan.buffers[i], plan.buffers[j]) << i << " " << j;
        }
    }
  }
}

}  // namespace pdvc
