#include "output/listing.h"

#include <gtest/gtest.h>

#include "support/events.h"

namespace pdvc {

TEST(Listing, HasOneLineAnEvent) {
  const std::vector<VideoEvents> one{
      {.video = "v", .events = {event_of(3.2, 15, "a man\nruns."), event_of(12.04, 75, "")}}};
  EXPECT_EQ(listing_text(one),
            "  0:03.2 -  0:15.0  a man runs.\n"
            "  0:12.0 -  1:15.0\n");
}

TEST(Listing, MakesRoomForHours) {
  const std::vector<VideoEvents> one{
      {.video = "v", .events = {event_of(3.2, 15, "a."), event_of(700, 3723.4, "b.")}}};
  EXPECT_EQ(listing_text(one),
            "    0:03.2 -    0:15.0  a.\n"
            "   11:40.0 - 1:02:03.4  b.\n");
}

TEST(Listing, HeadsEachOfSeveralVideos) {
  const std::vector<VideoEvents> two{
      {.video = "first\tone", .duration = 75.3, .events = {event_of(0, 5, "a.")}},
      {.video = "second"}};
  EXPECT_EQ(listing_text(two),
            "first one (1:15.3)\n"
            "  0:00.0 -  0:05.0  a.\n"
            "\n"
            "second\n"
            " no events\n");
  EXPECT_EQ(listing_text({}), "");
}

}  // namespace pdvc
