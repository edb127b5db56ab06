#include "runtime/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pdvc {
namespace {

using testing::ElementsAre;

Event query(int64_t index, double start, double proposal_score, double sentence_score) {
  return {.segment = {start, start + 5},
          .sentence = "a man runs.",
          .proposal_score = proposal_score,
          .sentence_score = sentence_score,
          .query = index};
}

// The counter says two; by proposal score 1, 2, 0, by sentence score 0, 2, 1.
VideoPredictions three_queries() {
  return {.queries = {query(0, 20, 0.2, -1), query(1, 10, 0.9, -30), query(2, 0, 0.5, -9)},
          .count_scores = {0.1f, 0.2f, 0.9f, 0.3f}};
}

std::vector<int64_t> chosen(const SelectionOptions& options, double rank_weight = 0) {
  const ModelSettings settings{.rank_weight = rank_weight};
  std::vector<int64_t> queries;
  for (const Event& event : select_events("v", 30, three_queries(), settings, options).events)
    queries.push_back(event.query.value());
  return queries;
}

TEST(Selection, TakesAsManyAsTheCounterSaysInOrderOfTime) {
  EXPECT_THAT(chosen({}), ElementsAre(2, 1));
}

TEST(Selection, WeighsSentencesAsTheModelsSettingSays) {
  EXPECT_THAT(chosen({}, /*rank_weight=*/1), ElementsAre(2, 0));
}

TEST(Selection, TakesCountAndRankingFromTheOptions) {
  EXPECT_THAT(chosen({.count = 1}), ElementsAre(1));
  EXPECT_THAT(chosen({.count = 1, .rank_weight = 1}), ElementsAre(0));
  EXPECT_THAT(chosen({.count = 1, .rank_weight = 1, .rank_gamma = 20}), ElementsAre(1));
  EXPECT_THAT(chosen({.count = 7}), ElementsAre(2, 1, 0));
  EXPECT_THAT(chosen({.count = 0}), ElementsAre());
}

TEST(Selection, GivesAllQueriesByFallingProposalScoreUnranked) {
  EXPECT_THAT(chosen({.all_queries = true}), ElementsAre(1, 2, 0));
  const VideoEvents all =
      select_events("v", 30, three_queries(), ModelSettings{}, {.all_queries = true});
  EXPECT_FALSE(all.events[0].joint_score.has_value());
}

TEST(Selection, NamesTheVideoItsLengthAndWhatTheCounterSaid) {
  const VideoEvents events = select_events("v", 30, three_queries(), ModelSettings{}, {.count = 1});
  EXPECT_EQ(events.video, "v");
  EXPECT_EQ(events.duration, 30);
  EXPECT_EQ(events.predicted_count, 2);
}

}  // namespace
}  // namespace pdvc
