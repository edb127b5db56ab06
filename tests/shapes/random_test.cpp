#include "shapes/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "shapes/fixed_point.h"

namespace pdvc {

// The published test vector of SplitMix64 for seed 1234567.
TEST(ShapesRandom, GivesThePublishedNumbers) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(ShapesRandom, ReachesBothEndsOfARangeAndNothingBeyond) {
  Random random(3);
  std::set<int32_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.between(-2, 2));
  EXPECT_EQ(seen, (std::set<int32_t>{-2, -1, 0, 1, 2}));
}

TEST(ShapesRandom, BranchesDoNotDependOnHowMuchOthersHaveUsed) {
  const Random random(5);
  Random used = random.branch(1);
  used.next();
  Random one = random.branch(2), same = random.branch(2);
  EXPECT_EQ(one.next(), same.next());
  EXPECT_NE(random.branch(1).next(), random.branch(2).next());
}

TEST(FixedPoint, SinesAreWithinTwoUnitsOfTheTrueOnes) {
  for (int32_t angle = -kTurn; angle <= kTurn; angle += 7) {
    const double turn = 2 * 3.14159265358979323846 * angle / kTurn;
    EXPECT_NEAR(sine(angle), kOne * std::sin(turn), 2) << angle;
    EXPECT_NEAR(cosine(angle), kOne * std::cos(turn), 2) << angle;
  }
}

TEST(FixedPoint, WholeRootsAreTheLargestWhoseSquareFits) {
  for (const int64_t square : {0L, 1L, 2L, 3L, 4L, 99L, 100L, 123456789L}) {
    const int64_t root = whole_root(square);
    EXPECT_LE(root * root, square);
    EXPECT_GT((root + 1) * (root + 1), square);
  }
}

}  // namespace pdvc
