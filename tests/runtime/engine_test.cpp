#include "runtime/engine.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "support/models.h"
#include "support/random_source.h"

namespace pdvc {
namespace {

constexpr int64_t kWidth = 6;  // of the small models' features

// Videos of different lengths, with proposals.
class RandomVideos {
 public:
  explicit RandomVideos(size_t count) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    for (size_t v = 0; v < count; ++v) {
      features_.emplace_back(static_cast<size_t>(kWidth) * (1 + v * 5));
      for (float& x : features_.back()) x = normal(random);
      const double duration = 10.0 + static_cast<double>(v);
      inputs_.push_back({features_.back(), duration, {{0, duration}, {1, 4}}});
    }
  }

  std::span<const VideoInput> inputs() const { return inputs_; }

 private:
  std::deque<std::vector<float>> features_;
  std::vector<VideoInput> inputs_;
};

void expect_same(const VideoPredictions& own, const VideoPredictions& wanted) {
  EXPECT_EQ(own.count_scores, wanted.count_scores);
  ASSERT_EQ(own.queries.size(), wanted.queries.size());
  for (size_t q = 0; q < own.queries.size(); ++q) {
    EXPECT_EQ(own.queries[q].sentence, wanted.queries[q].sentence);
    EXPECT_EQ(own.queries[q].sentence_score, wanted.queries[q].sentence_score);
    EXPECT_EQ(own.queries[q].segment, wanted.queries[q].segment);
    EXPECT_EQ(own.queries[q].proposal_score, wanted.queries[q].proposal_score);
  }
}

class EngineOfKind : public testing::TestWithParam<CaptionerKind> {
 protected:
  Engine engine_{random_source(small_settings(GetParam()), small_vocabulary(), 5), {.threads = 2}};
};

TEST_P(EngineOfKind, CaptionsOnManyThreadsAtOnceAsOnOne) {
  const RandomVideos videos(4);
  const SearchOptions search{.beam = 2, .longest = 6};
  Workspace workspace(1);
  std::vector<VideoPredictions> wanted;
  for (size_t v = 0; v < videos.inputs().size(); ++v)
    wanted.push_back(
        engine_.predict(videos.inputs().subspan(v, 1), false, search, workspace).at(0));
  std::vector<std::vector<VideoPredictions>> found(8);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      Workspace own(1);
      for (size_t i = 0; i < wanted.size(); ++i)
        found[t].push_back(
            engine_.predict(videos.inputs().subspan((t + i) % wanted.size(), 1), false, search, own)
                .at(0));
    });
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < found.size(); ++t)
    for (size_t i = 0; i < wanted.size(); ++i)
      expect_same(found[t].at(i), wanted[(t + i) % wanted.size()]);
}

TEST_P(EngineOfKind, CaptionsWithSeveralTeamsAtOnce) {
  const RandomVideos videos(3);
  Workspace workspace(2);
  const auto wanted = engine_.predict(videos.inputs(), true, {}, workspace);
  std::vector<std::vector<VideoPredictions>> found(3);
  std::vector<std::thread> threads;
  for (auto& own : found)
    threads.emplace_back([&] {
      Workspace team(2);
      own = engine_.predict(videos.inputs(), true, {}, team);
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : found) {
    ASSERT_EQ(own.size(), wanted.size());
    for (size_t v = 0; v < own.size(); ++v) expect_same(own[v], wanted[v]);
  }
}

TEST_P(EngineOfKind, SaysNothingOfAVideoWithoutProposals) {
  const RandomVideos videos(3);
  std::vector<VideoInput> inputs(videos.inputs().begin(), videos.inputs().end());
  Workspace workspace(1);
  const auto before = engine_.predict(inputs, true, {}, workspace);
  inputs[1].proposals.clear();
  const auto after = engine_.predict(inputs, true, {}, workspace);
  EXPECT_EQ(after.at(1).queries.size(), 0u);
  for (const size_t v : {0, 2})
    for (size_t q = 0; q < before[v].queries.size(); ++q)
      EXPECT_EQ(after.at(v).queries.at(q).sentence, before[v].queries[q].sentence);
  for (VideoInput& input : inputs) input.proposals.clear();
  for (const VideoPredictions& video : engine_.predict(inputs, true, {}, workspace))
    EXPECT_EQ(video.queries.size(), 0u);
}

TEST_P(EngineOfKind, SaysNothingOfNoVideos) {
  Workspace workspace(2);
  EXPECT_TRUE(engine_.predict({}, false, {}, workspace).empty());
  EXPECT_TRUE(engine_.predict({}, true, {}, workspace).empty());
}

INSTANTIATE_TEST_SUITE_P(Captioners, EngineOfKind,
                         testing::Values(CaptionerKind::none, CaptionerKind::light,
                                         CaptionerKind::standard, CaptionerKind::soft,
                                         CaptionerKind::transformer),
                         [](const auto& each) {
                           return std::string(
                               names_of(each.param)[static_cast<size_t>(each.param)]);
                         });

// A workspace keeps word gates of the model it served last.
TEST(Engine, SharesAWorkspaceWithOtherModels) {
  const RandomVideos videos(2);
  const Settings settings = small_settings(CaptionerKind::light);
  const Engine one(random_source(settings, small_vocabulary(), 1), {}),
      two(random_source(settings, small_vocabulary(), 2), {.threads = 2});
  Workspace first(1), second(1), both(1);
  const auto wanted_one = one.predict(videos.inputs(), false, {}, first),
             wanted_two = two.predict(videos.inputs(), false, {}, second);
  for (int round = 0; round < 2; ++round) {
    const auto own_one = one.predict(videos.inputs(), false, {}, both),
               own_two = two.predict(videos.inputs(), false, {}, both);
    for (size_t v = 0; v < 2; ++v) {
      expect_same(own_one[v], wanted_one[v]);
      expect_same(own_two[v], wanted_two[v]);
    }
  }
}

}  // namespace
}  // namespace pdvc
