#include "training/sampler.h"

#include <gmock/gmock.h>

#include <set>

namespace pdvc {

using testing::ElementsAre;

TEST(Sampler, GivesEveryVideoOnceAnEpochAndToOneWorker) {
  for (const size_t workers : {1, 2, 3}) {
    const auto order = epoch_order(11, VideoOrder::shuffled, 5, 3);
    std::multiset<size_t> seen;
    constexpr size_t kBatch = 2;
    for (size_t first = 0; first < order.size(); first += workers * kBatch)
      for (size_t rank = 0; rank < workers; ++rank)
        for (const size_t video : share_of(order, first, kBatch, {rank, workers}))
          seen.insert(video);
    EXPECT_EQ(seen.size(), 11u);
    EXPECT_EQ(std::set<size_t>(seen.begin(), seen.end()).size(), 11u);
  }
}

TEST(Sampler, DependsOnSeedAndEpochAlone) {
  const auto order = epoch_order(50, VideoOrder::shuffled, 1, 0);
  EXPECT_EQ(order, epoch_order(50, VideoOrder::shuffled, 1, 0));
  EXPECT_NE(order, epoch_order(50, VideoOrder::shuffled, 1, 1));
  EXPECT_NE(order, epoch_order(50, VideoOrder::shuffled, 2, 0));
  EXPECT_THAT(epoch_order(3, VideoOrder::as_given, 1, 0), ElementsAre(0, 1, 2));
}

TEST(Sampler, LeavesAWorkerWithoutAVideoInTheLastStep) {
  const std::vector<size_t> order = {4, 5, 6};
  EXPECT_THAT(share_of(order, 2, 1, {0, 2}), ElementsAre(6));
  EXPECT_TRUE(share_of(order, 2, 1, {1, 2}).empty());
}

TEST(Sampler, DrawsEventsInFileOrder) {
  EXPECT_THAT(drawn(3, 5, {1, 2, 3}), ElementsAre(0, 1, 2));
  const auto few = drawn(40, 6, {1, 2, 3});
  EXPECT_EQ(few.size(), 6u);
  EXPECT_TRUE(std::ranges::is_sorted(few));
  EXPECT_EQ(few, drawn(40, 6, {1, 2, 3}));
  EXPECT_NE(few, drawn(40, 6, {1, 3, 3}));
}

TEST(Sampler, DrawsEveryEventEquallyOften) {
  std::vector<int> counts(5);
  constexpr int kDraws = 5000;
  for (size_t video = 0; video < kDraws; ++video)
    for (const size_t event : drawn(5, 2, {7, 0, video})) ++counts[event];
  for (const int count : counts) EXPECT_NEAR(count, 2 * kDraws / 5, 200);
}

}  // namespace pdvc
