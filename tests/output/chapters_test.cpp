#include "output/chapters.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "support/events.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> outline(const VideoEvents& video, int64_t shortest = 10'000) {
  std::vector<std::string> lines;
  for (const Chapter& chapter : chapters_of(video, shortest))
    lines.push_back(std::to_string(chapter.start) + "-" + std::to_string(chapter.end) + " " +
                    chapter.title);
  return lines;
}

}  // namespace

TEST(Chapters, LastUntilTheNextOne) {
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(0, 10, "a"), event_of(30, 40, "b")}}),
              ElementsAre("0-30000 a", "30000-60000 b"));
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(0, 60, "a"), event_of(30, 40, "b")}}),
              ElementsAre("0-30000 a", "30000-60000 b"));
}

TEST(Chapters, BeginWithAnIntroductionWhereNothingElseDoes) {
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(10, 20, "a")}}),
              ElementsAre("0-10000 Introduction", "10000-60000 a"));
}

TEST(Chapters, MoveWhereThereIsNoRoomForOneBefore) {
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(4.9, 20, "a")}}),
              ElementsAre("0-60000 a"));
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(5, 20, "a")}}),
              ElementsAre("0-10000 Introduction", "10000-60000 a"));
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(5, 10, "over by then")}}),
              ElementsAre("0-60000 over by then"));
  EXPECT_THAT(outline({.duration = 19.0, .events = {event_of(5, 19, "no room after")}}),
              ElementsAre("0-19000 no room after"));
  EXPECT_THAT(
      outline({.duration = 60.0, .events = {event_of(0, 12, "a", 0.5), event_of(8, 60, "b", 0.7)}}),
      ElementsAre("0-10000 a", "10000-60000 b"));
}

TEST(Chapters, GoToTheBetterOfTwoEventsThatStartTogether) {
  EXPECT_THAT(outline({.duration = 60.0,
                       .events = {event_of(0, 5, "a", 0.1), event_of(20, 30, "b", 0.2),
                                  event_of(25, 60, "c", 0.3), event_of(30, 40, "d", 0.1)}}),
              ElementsAre("0-25000 a", "25000-60000 c"));
}

TEST(Chapters, GoToTheEarlierOfTwoEqualEvents) {
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(25, 30, "b"), event_of(20, 30, "a")}}),
              ElementsAre("0-20000 Introduction", "20000-60000 a"));
}

TEST(Chapters, PutAScoreBeforeNone) {
  EXPECT_THAT(outline({.duration = 60.0,
                       .events = {event_of(20, 30, "a", NAN), event_of(25, 30, "b", -1000)}}),
              ElementsAre("0-25000 Introduction", "25000-60000 b"));
}

TEST(Chapters, CompareProposalsWithoutAJointScore) {
  VideoEvents video{.duration = 60.0, .events = {event_of(20, 30, "a"), event_of(25, 30, "b")}};
  video.events[0].proposal_score = 0.1;
  video.events[1].proposal_score = 0.2;
  EXPECT_THAT(outline(video), ElementsAre("0-25000 Introduction", "25000-60000 b"));
}

TEST(Chapters, DoNotBeginRightBeforeTheEnd) {
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(0, 5, "a"), event_of(51, 60, "b")}}),
              ElementsAre("0-60000 a"));
  EXPECT_THAT(outline({.events = {event_of(0, 5, "a"), event_of(40, 60, "b")}}),
              ElementsAre("0-40000 a", "40000-60000 b"));
}

TEST(Chapters, EndWithTheLastEventWhereTheDurationIsNoTime) {
  for (const double duration : std::vector<double>{0, -1, 1e-9, INFINITY, NAN})
    EXPECT_THAT(outline({.duration = duration, .events = {event_of(0, 30, "a")}}),
                ElementsAre("0-30000 a"))
        << duration;
}

TEST(Chapters, OfAShortVideoAreOne) {
  EXPECT_THAT(outline({.duration = 4.0, .events = {event_of(1, 3, "a")}}), ElementsAre("0-4000 a"));
}

TEST(Chapters, NeedEventsWithWordsAndLength) {
  EXPECT_THAT(outline({.duration = 60.0, .events = {event_of(0, 5, ""), event_of(3, 3, "a")}}),
              IsEmpty());
}

TEST(Chapters, OfAnyEventsFollowEachOther) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> time(0, 120);
  for (int round = 0; round < 1000; ++round) {
    VideoEvents video{.duration = 20 + time(random)};
    for (int i = 0; i < 8; ++i) {
      const double start = time(random);
      video.events.push_back(event_of(start, start + time(random), "x", time(random)));
    }
    const std::vector<Chapter> chapters = chapters_of(video, 10'000);
    int64_t end = 0;
    for (const Chapter& chapter : chapters) {
      ASSERT_EQ(chapter.start, end);
      ASSERT_GE(chapter.end - chapter.start, 10'000);
      end = chapter.end;
    }
    if (!chapters.empty()) {
      ASSERT_EQ(end, std::llround(*video.duration * 1000));
    }
  }
}

}  // namespace pdvc
