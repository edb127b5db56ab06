#include "evaluation/localization.h"

#include <gtest/gtest.h>

namespace pdvc {
namespace {

using Segments = std::vector<Segment>;

}  // namespace

TEST(Localization, MeasuresOverlapAsTheEvaluatorsDo) {
  EXPECT_NEAR(evaluation_iou({0, 10}, {5, 15}), 5 / (15 + 1e-8), 1e-15);
  EXPECT_NEAR(evaluation_iou({0, 4}, {4, 9}), 0, 1e-15);
  EXPECT_NEAR(evaluation_iou({0, 1}, {5, 6}), 0, 1e-15);
  EXPECT_EQ(evaluation_iou({3, 3}, {3, 3}), 0);  // no length: 0 / 1e-8
  EXPECT_NEAR(evaluation_iou({2, 3}, {2, 3}), 1, 1e-7);
}

TEST(Localization, CountsWhatIsCovered) {
  const OverlapTable table(Segments({{0, 10}, {50, 60}}), Segments({{0, 10}, {0, 9}, {100, 101}}));
  EXPECT_DOUBLE_EQ(table.recall(0.5), 2.0 / 3);
  EXPECT_DOUBLE_EQ(table.precision(0.5), 0.5);
  EXPECT_DOUBLE_EQ(table.recall(0.95), 1.0 / 3);
  EXPECT_NEAR(table.at(0, 1), 0.9, 1e-8);
}

TEST(Localization, NeedsMoreThanTheThreshold) {
  const OverlapTable table(Segments({{0, 1}}), Segments({{0, 1}}));
  EXPECT_EQ(table.recall(table.at(0, 0)), 0);
  EXPECT_EQ(table.recall(0.9), 1);
}

TEST(Localization, OfNothingIsZero) {
  EXPECT_EQ(OverlapTable({}, Segments({{0, 1}})).precision(0.3), 0);
  EXPECT_EQ(OverlapTable({}, Segments({{0, 1}})).recall(0.3), 0);
  EXPECT_EQ(OverlapTable(Segments({{0, 1}}), {}).recall(0.3), 0);
  EXPECT_EQ(f1_score(0, 0), 0);
  EXPECT_DOUBLE_EQ(f1_score(1, 0.5), 2.0 / 3);
}

}  // namespace pdvc
