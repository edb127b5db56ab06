#include "video/clips.h"

#include <gmock/gmock.h>

#include <cmath>

namespace pdvc {
namespace {

using testing::ElementsAre;

// Shows frames at the given times and collects the clips.
std::vector<ClipFrames> clips_of(const ClipRule& rule, std::optional<Rate> rate,
                                 const std::vector<double>& times, double end) {
  ClipSampler sampler(rule, rate);
  std::vector<ClipFrames> clips;
  std::vector<bool> wanted(times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    const auto number = static_cast<int64_t>(i);
    const bool last = i + 1 == times.size();
    const auto step = sampler.see({.ordinal = number,
                                   .number = number,
                                   .next_number = number + 1,
                                   .start = times[i],
                                   .end = last ? end : times[i + 1],
                                   .last = last});
    wanted[i] = step.wanted;
    for (const ClipFrames& clip : step.clips) {
      EXPECT_EQ(clip.size(), static_cast<size_t>(rule.frames));
      for (const int64_t frame : clip) EXPECT_TRUE(wanted[static_cast<size_t>(frame)]);
      clips.push_back(clip);
    }
    EXPECT_LE(sampler.oldest_needed(), number + 1);
  }
  return clips;
}

std::vector<ClipFrames> constant_clips(const ClipRule& rule, Rate rate, int64_t frames) {
  std::vector<double> times;
  for (int64_t i = 0; i < frames; ++i) times.push_back(static_cast<double>(i) / rate.value());
  return clips_of(rule, rate, times, static_cast<double>(frames) / rate.value());
}

ClipRule tsp() { return {.frames_per_second = 15, .frames = 16, .stride = 16}; }

}  // namespace

// The rule as the specification has it, in whole numbers.
TEST(Clips, FollowTheConstantRateRule) {
  for (const Rate f :
       {Rate{24, 1}, {24000, 1001}, {30000, 1001}, {60, 1}, {15, 1}, {10, 1}, {981, 50}})
    for (const int64_t n : {40, 64, 100, 355, 1000}) {
      const auto clips = constant_clips(tsp(), f, n);
      const int64_t samples = 15 * n * f.denominator / f.numerator;
      const auto expected = static_cast<size_t>(std::max<int64_t>(samples / 16, 1));
      ASSERT_EQ(clips.size(), expected) << f.value() << " " << n;
      for (size_t c = 0; c < clips.size(); ++c)
        for (int64_t j = 0; j < 16; ++j) {
          const int64_t start = 16 * static_cast<int64_t>(c) * f.numerator / (15 * f.denominator);
          const int64_t frame = start + j * f.numerator / (15 * f.denominator);
          ASSERT_EQ(clips[c][static_cast<size_t>(j)], std::min(frame, n - 1));
        }
    }
}

TEST(Clips, OfAVariableRateAreTheFramesShownThen) {
  // Frames at 0, 0.5, 0.6, 0.9, 3 s; two samples a second, clips of two.
  const ClipRule rule{.frames_per_second = 2, .frames = 2, .stride = 2};
  const auto clips = clips_of(rule, std::nullopt, {0, 0.5, 0.6, 0.9, 3}, 4);
  // Clip 1 starts with the frame shown at 1 s, which came at 0.9; half a second after that it is
  // still shown.
  EXPECT_THAT(clips, ElementsAre(ElementsAre(0, 1), ElementsAre(3, 3), ElementsAre(3, 3),
                                 ElementsAre(4, 4)));
}

TEST(Clips, OfAVariableRateCountFromTheClipsFirstFrame) {
  const ClipRule rule{.frames_per_second = 1, .frames = 2, .stride = 2};
  const std::vector<double> times = {0, 1.5, 2.6, 3.1};
  // Clip 1 starts at 2 s with frame 1 (1.5 s); a second later, 2.5 s, it is still frame 1. Counted
  // from the video's start it would be the frame shown at 3 s.
  EXPECT_THAT(clips_of(rule, std::nullopt, times, 4.2),
              ElementsAre(ElementsAre(0, 0), ElementsAre(1, 1)));
  ClipRule by_video = rule;
  by_video.origin = ClipRule::Origin::video;
  EXPECT_THAT(clips_of(by_video, std::nullopt, times, 4.2),
              ElementsAre(ElementsAre(0, 0), ElementsAre(1, 2)));
}

TEST(Clips, DropAnIncompleteRest) {
  EXPECT_EQ(constant_clips(tsp(), {15, 1}, 31).size(), 1u);
  EXPECT_EQ(constant_clips(tsp(), {15, 1}, 32).size(), 2u);
}

TEST(Clips, AreAtLeastOne) {
  const auto clips = constant_clips(tsp(), {25, 1}, 15);
  EXPECT_THAT(clips,
              ElementsAre(ElementsAre(0, 1, 3, 5, 6, 8, 10, 11, 13, 14, 14, 14, 14, 14, 14, 14)));
  EXPECT_THAT(constant_clips({.frames_per_second = 1, .frames = 1, .stride = 1}, {25, 1}, 3),
              ElementsAre(ElementsAre(0)));
}

TEST(Clips, MayOverlap) {
  const ClipRule every{.frames_per_second = std::nullopt, .frames = 4, .stride = 2};
  EXPECT_THAT(
      constant_clips(every, {25, 1}, 9),
      ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(2, 3, 4, 5), ElementsAre(4, 5, 6, 7)));
  EXPECT_THAT(clips_of(every, std::nullopt, {0, 5, 5.1, 9, 20}, 21),
              ElementsAre(ElementsAre(0, 1, 2, 3)));
}

TEST(Clips, RepeatARestThatIsLongEnough) {
  const ClipRule rule{.frames_per_second = 5, .frames = 4, .stride = 4, .shortest_rest = 2};
  EXPECT_THAT(constant_clips(rule, {5, 1}, 7),
              ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 4)));
  EXPECT_THAT(constant_clips(rule, {5, 1}, 5), ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_THAT(constant_clips(rule, {5, 1}, 1), ElementsAre(ElementsAre(0, 0, 0, 0)));
}

TEST(Clips, ShowTheFrameBeforeWhereOneIsMissing) {
  ClipSampler sampler({.frames_per_second = 5, .frames = 4, .stride = 4}, Rate{5, 1});
  sampler.see({.ordinal = 0, .number = 0, .next_number = 2, .start = 0, .end = 0.4, .last = false});
  sampler.see(
      {.ordinal = 1, .number = 2, .next_number = 3, .start = 0.4, .end = 0.6, .last = false});
  const auto step = sampler.see(
      {.ordinal = 2, .number = 3, .next_number = 4, .start = 0.6, .end = 0.8, .last = true});
  EXPECT_THAT(step.clips, ElementsAre(ElementsAre(0, 0, 1, 2)));
}

TEST(Clips, MayBeginWithAFrameThatIsShownForNoTime) {
  std::vector<double> times;
  for (int i = 0; i < 100; ++i) times.push_back(i * 40e-9);
  for (const auto origin : {ClipRule::Origin::clip, ClipRule::Origin::video}) {
    ClipRule rule = tsp();
    rule.origin = origin;
    const auto clips = clips_of(rule, std::nullopt, times, 1.0);
    ASSERT_EQ(clips.size(), 1u);
    EXPECT_EQ(clips[0].back(), 99);
  }
}

// A picture that stands for long does not need memory for each of its moments.
TEST(Clips, OfALongGapAreFilledAtOnce) {
  const auto clips = clips_of(tsp(), std::nullopt, {0, 3000}, 3001);
  EXPECT_EQ(clips.size(), 2813u);
}

}  // namespace pdvc
