#include "output/side_by_side.h"

#include <gtest/gtest.h>

#include "support/events.h"

namespace pdvc {

TEST(SideBySide, PutsEachPredictionBelowTheTrueEventItOverlapsMost) {
  Event sure = event_of(1, 11, "a man runs.");
  sure.proposal_score = 0.875;
  const std::vector<VideoEvents> truth{
      {.video = "v",
       .events = {event_of(8, 20, "he jumps."), event_of(0, 10, "a man is running.")}}};
  const std::vector<VideoEvents> said{
      {.video = "v", .events = {sure, event_of(9, 20, "he sits.")}}};
  EXPECT_EQ(side_by_side_text(said, truth),
            "v\n"
            " truth   0:00.0 -  0:10.0  a man is running.\n"
            " said    0:01.0 -  0:11.0  a man runs. (overlap 0.82, sure 0.88)\n"
            " truth   0:08.0 -  0:20.0  he jumps.\n"
            " said    0:09.0 -  0:20.0  he sits. (overlap 0.92)\n");
}

TEST(SideBySide, SaysWhatIsNobodysAndLeavesOutWhatNobodySaid) {
  const std::vector<VideoEvents> truth{{.video = "v", .events = {event_of(0, 10, "a.")}},
                                       {.video = "w", .events = {event_of(5, 6, "b.")}}};
  const std::vector<VideoEvents> said{
      {.video = "v",
       .events = {event_of(20, 30, "c."), event_of(0, 5, "d."), event_of(0, 9, "e.")}},
      {.video = "unknown", .events = {event_of(0, 1, "f.")}}};
  EXPECT_EQ(side_by_side_text(said, truth),
            "v\n"
            " truth   0:00.0 -  0:10.0  a.\n"
            " said    0:00.0 -  0:09.0  e. (overlap 0.90)\n"
            " said    0:00.0 -  0:05.0  d. (one too many)\n"
            " said    0:20.0 -  0:30.0  c. (one too many)\n"
            "\n"
            "w\n"
            " truth   0:05.0 -  0:06.0  b.\n");
}

}  // namespace pdvc
