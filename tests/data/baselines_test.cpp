#include "data/baselines.h"

#include "support/events.h"
#include "support/files.h"

namespace pdvc {
namespace {

std::vector<VideoEvents> annotated() {
  return {{.video = "a",
           .duration = 10,
           .events = {event_of(0, 4, "A dog runs."), event_of(5, 10, "It stops.")}},
          {.video = "b",
           .duration = 100,
           .events = {event_of(60, 80, "it stops"), event_of(20, 40, "A cat sleeps.")}}};
}

}  // namespace

TEST(Baselines, FindTheMostFrequentSentenceWithoutCaseAndStop) {
  EXPECT_EQ(most_frequent_sentence(annotated()), "It stops.");
}

TEST(Baselines, PutEventsWhereTheyLieOnAverage) {
  const std::vector<VideoEvents> wanted{{.video = "c", .duration = 50}};
  const auto made = average_events(annotated(), wanted);
  ASSERT_EQ(made.size(), 1);
  ASSERT_EQ(made[0].events.size(), 2);
  EXPECT_DOUBLE_EQ(made[0].events[0].segment.start, 0.1 * 50);
  EXPECT_DOUBLE_EQ(made[0].events[0].segment.end, 0.4 * 50);
  EXPECT_DOUBLE_EQ(made[0].events[1].segment.start, 0.55 * 50);
  EXPECT_DOUBLE_EQ(made[0].events[1].segment.end, 0.9 * 50);
  EXPECT_EQ(made[0].events[1].sentence, "It stops.");
}

TEST(Baselines, KeepGivenSegmentsAndReplaceTheirSentences) {
  const std::vector<VideoEvents> wanted{
      {.video = "c", .duration = 50, .events = {event_of(1, 2, "unlike")}}};
  const auto made = given_segments(annotated(), wanted);
  EXPECT_EQ(made[0].events[0].segment.end, 2);
  EXPECT_EQ(made[0].events[0].sentence, "It stops.");
}

TEST(Baselines, NeedAnEventToLearnFrom) {
  const std::vector<VideoEvents> none{{.video = "a", .duration = 10}};
  EXPECT_EQ(error_of([&] { average_events(none, none); }), "the annotations hold no sentence");
}

}  // namespace pdvc
