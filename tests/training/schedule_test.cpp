#include "training/schedule.h"

#include <gtest/gtest.h>

namespace pdvc {

TEST(Schedule, HalvesTheRateAtThePublishedEpochs) {
  TrainingSettings settings;
  settings.learning_rate = 1;
  std::vector<int64_t> falls;
  for (int64_t epoch = 1; epoch < settings.epochs; ++epoch) {
    const double before = learning_rate_at(settings, {static_cast<double>(epoch) - 0.01, 1}),
                 now = learning_rate_at(settings, {static_cast<double>(epoch), 1});
    if (now != before) {
      EXPECT_DOUBLE_EQ(now, before / 2);
      falls.push_back(epoch);
    }
  }
  EXPECT_EQ(falls, (std::vector<int64_t>{8, 11, 14, 17, 20, 23, 26}));
}

TEST(Schedule, RisesOverTheWarmUpAndThenFollowsTheCosine) {
  TrainingSettings settings;
  settings.learning_rate = 2;
  settings.epochs = 10;
  settings.schedule = Schedule::cosine;
  settings.warmup = 4;
  EXPECT_DOUBLE_EQ(learning_rate_at(settings, {0, 0}), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate_at(settings, {0, 3}), 2);
  EXPECT_DOUBLE_EQ(learning_rate_at(settings, {5, 100}), 1);
  EXPECT_NEAR(learning_rate_at(settings, {10, 200}), 0, 1e-12);
}

TEST(Schedule, StaysWhereItIsWhenItIsConstant) {
  TrainingSettings settings;
  settings.learning_rate = 3;
  settings.schedule = Schedule::constant;
  EXPECT_EQ(learning_rate_at(settings, {29, 1000}), 3);
}

TEST(Schedule, FeedsOwnWordsMoreAndMore) {
  TrainingSettings settings;
  EXPECT_EQ(own_words_in(settings, 20), 0);  // off by default
  settings.sampling_start = 2;
  settings.sampling_initial = 0.05;
  EXPECT_EQ(own_words_in(settings, 1), 0);
  EXPECT_DOUBLE_EQ(own_words_in(settings, 2), 0.05);
  EXPECT_DOUBLE_EQ(own_words_in(settings, 4), 0.10);
  EXPECT_DOUBLE_EQ(own_words_in(settings, 29), 0.25);
}

}  // namespace pdvc
