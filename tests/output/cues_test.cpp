#include "output/cues.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/events.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "0-5000 a|b" for each cue.
std::vector<std::string> outline(const VideoEvents& video) {
  std::vector<std::string> lines;
  for (const Cue& cue : cues_of(video)) {
    std::string line = std::to_string(cue.start) + "-" + std::to_string(cue.end);
    for (const std::string& sentence : cue.sentences)
      line += (&sentence == cue.sentences.data() ? " " : "|") + sentence;
    lines.push_back(line);
  }
  return lines;
}

VideoEvents random_video(std::mt19937& random) {
  std::uniform_real_distribution<double> duration(0.2, 40), share(-0.1, 1.1);
  std::uniform_int_distribution<int> count(0, 12);
  VideoEvents video{.video = "v", .duration = duration(random)};
  const int events = count(random);
  for (int i = 0; i < events; ++i) {
    const double start = share(random) * *video.duration;
    const double length = std::abs(share(random) * share(random)) * *video.duration;
    video.events.push_back(event_of(start, start + length, "sentence " + std::to_string(i)));
  }
  return video;
}

bool shows(const std::vector<Cue>& cues, double time, const std::string& sentence) {
  return std::ranges::any_of(cues, [&](const Cue& cue) {
    const bool now = static_cast<double>(cue.start) <= time && time < static_cast<double>(cue.end);
    return now && std::ranges::count(cue.sentences, sentence) == 1;
  });
}

}  // namespace

TEST(Cues, AreTheEventsWhereNoneOverlap) {
  EXPECT_THAT(outline({.events = {event_of(1, 2.5, "a"), event_of(4, 6, "b")}}),
              ElementsAre("1000-2500 a", "4000-6000 b"));
  EXPECT_THAT(outline({}), IsEmpty());
}

TEST(Cues, ShowAllEventsOfTheMomentOldestFirst) {
  EXPECT_THAT(outline({.events = {event_of(2, 8, "b"), event_of(0, 5, "a")}}),
              ElementsAre("0-2000 a", "2000-5000 a|b", "5000-8000 b"));
  EXPECT_THAT(outline({.events = {event_of(0, 9, "whole"), event_of(3, 5, "part")}}),
              ElementsAre("0-3000 whole", "3000-5000 whole|part", "5000-9000 whole"));
}

TEST(Cues, LetBordersThatAreCloseFallTogether) {
  EXPECT_THAT(outline({.events = {event_of(0, 5, "a"), event_of(4.6, 8, "b")}}),
              ElementsAre("0-4600 a", "4600-8000 b"));
  EXPECT_THAT(outline({.events = {event_of(0, 5, "a"), event_of(5.4, 8, "b")}}),
              ElementsAre("0-5000 a", "5000-8000 b"));
  EXPECT_THAT(outline({.events = {event_of(0, 5, "a"), event_of(5.5, 8, "b")}}),
              ElementsAre("0-5000 a", "5500-8000 b"));
}

TEST(Cues, LengthenEventsTooShortToRead) {
  EXPECT_THAT(outline({.events = {event_of(0, 9, "a"), event_of(3, 3.1, "b")}}),
              ElementsAre("0-3000 a", "3000-3500 a|b", "3500-9000 a"));
  EXPECT_THAT(outline({.duration = 9.0, .events = {event_of(8.9, 9, "a")}}),
              ElementsAre("8500-9000 a"));
  EXPECT_THAT(outline({.duration = 0.3, .events = {event_of(0.1, 0.2, "a")}}),
              ElementsAre("0-300 a"));
}

TEST(Cues, SayTheSameOnlyOnce) {
  EXPECT_THAT(outline({.events = {event_of(0, 5, "a"), event_of(5, 9, "a")}}),
              ElementsAre("0-9000 a"));
  EXPECT_THAT(outline({.events = {event_of(0, 5, "a"), event_of(2, 4, "a")}}),
              ElementsAre("0-5000 a"));
  EXPECT_THAT(outline({.events = {event_of(0, 5, "a"), event_of(7, 9, "a")}}),
              ElementsAre("0-5000 a", "7000-9000 a"));
}

TEST(Cues, LeaveOutEventsWithoutWordsOrLength) {
  EXPECT_THAT(outline({.events = {event_of(0, 5, " \n"), event_of(3, 3, "a"), event_of(5, 4, "b"),
                                  event_of(NAN, 4, "c"), event_of(0, NAN, "d")}}),
              IsEmpty());
}

TEST(Cues, StayInsideTheVideo) {
  EXPECT_THAT(outline({.duration = 10.0,
                       .events = {event_of(-3, 4, "a"), event_of(8, INFINITY, "b"),
                                  event_of(11, 12, "c")}}),
              ElementsAre("0-4000 a", "8000-10000 b"));
  EXPECT_THAT(outline({.duration = 0.0, .events = {event_of(1, 4, "no duration")}}),
              ElementsAre("1000-4000 no duration"));
}

TEST(Cues, OfAnyEventsAreInOrderApartAndLongEnough) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const VideoEvents video = random_video(random);
    const auto last = std::llround(*video.duration * 1000);
    int64_t free_from = 0;
    for (const Cue& cue : cues_of(video)) {
      ASSERT_GE(cue.start, free_from);
      ASSERT_GE(cue.end - cue.start, std::min<int64_t>(kShortestCue, last));
      ASSERT_LE(cue.end, last);
      ASSERT_FALSE(cue.sentences.empty());
      free_from = cue.end;
    }
  }
}

// Looked at every 50 ms, away from the last half second of an event, which may be cut.
TEST(Cues, ShowEveryEventDuringAlmostAllOfItsTime) {
  std::mt19937 random(2);
  int looks = 0;
  for (int round = 0; round < 300; ++round) {
    const VideoEvents video = random_video(random);
    const std::vector<Cue> cues = cues_of(video);
    for (const Event& event : video.events) {
      const double start = std::max(0.0, event.segment.start) * 1000 + 1;
      const double end = std::min(*video.duration, event.segment.end) * 1000 - kShortestCue - 1;
      for (double time = start; time < end; time += 50, ++looks)
        ASSERT_TRUE(shows(cues, time, event.sentence)) << event.sentence << " at " << time;
    }
  }
  EXPECT_GT(looks, 10'000);
}

TEST(Cues, ShowNoEventLongBeforeOrAfterIt) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const VideoEvents video = random_video(random);
    const std::vector<Cue> cues = cues_of(video);
    for (const Event& event : video.events)
      for (double time = 0; time < *video.duration * 1000; time += 50) {
        const bool near = time > event.segment.start * 1000 - 2 * kShortestCue - 1 &&
                          time < event.segment.end * 1000 + kShortestCue + 1;
        ASSERT_TRUE(near || !shows(cues, time, event.sentence)) << event.sentence << " at " << time;
      }
  }
}

TEST(Cues, ShowEveryEventThatHasALength) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    const VideoEvents video = random_video(random);
    const std::vector<Cue> cues = cues_of(video);
    for (const Event& event : video.events) {
      const double start = std::max(0.0, event.segment.start);
      if (std::min(*video.duration, event.segment.end) - start < 0.002) continue;
      EXPECT_TRUE(std::ranges::any_of(cues, [&](const Cue& cue) {
        return std::ranges::count(cue.sentences, event.sentence) == 1;
      }));
    }
  }
}

}  // namespace pdvc
