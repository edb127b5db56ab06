#include "event/segment.h"

#include <gtest/gtest.h>

namespace pdvc {

TEST(Segment, KnowsItsCentreAndLength) {
  const Segment segment = from_centre(5, 4);
  EXPECT_EQ(segment, (Segment{3, 7}));
  EXPECT_EQ(segment.centre(), 5);
  EXPECT_EQ(segment.length(), 4);
}

// Values by hand from the formulas: intersection / (union + 1e-5), and minus (hull - union) / (hull
// + 1e-5).
TEST(Segment, OverlapsByIntersectionOverUnion) {
  EXPECT_DOUBLE_EQ(iou({0, 2}, {1, 3}), 1 / 3.00001);
  EXPECT_DOUBLE_EQ(iou({0, 2}, {0, 2}), 2 / 2.00001);
  EXPECT_EQ(iou({0, 1}, {2, 3}), 0);
}

TEST(Segment, GeneralisedOverlapFallsWithTheGap) {
  EXPECT_DOUBLE_EQ(giou({0, 2}, {1, 3}), 1 / 3.00001);
  EXPECT_DOUBLE_EQ(giou({0, 1}, {2, 3}), -1 / 3.00001);
  EXPECT_LT(giou({0, 1}, {9, 10}), giou({0, 1}, {2, 3}));
}

TEST(Segment, MayHaveNoLength) {
  EXPECT_EQ(iou({1, 1}, {1, 1}), 0);
  EXPECT_EQ(giou({1, 1}, {1, 1}), 0);
}

}  // namespace pdvc
