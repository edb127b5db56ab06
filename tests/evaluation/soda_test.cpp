#include "evaluation/soda.h"

#include <gmock/gmock.h>

#include <random>

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Table = std::vector<std::vector<double>>;

PairValue in(const Table& table) {
  return [&table](size_t event, size_t prediction) { return table[event][prediction]; };
}

// The best over all matchings that keep the order, by trying every one.
double best_by_trying(const Table& table, size_t event, size_t prediction) {
  if (event == table.size() || prediction == table[0].size()) return 0;
  return std::max({best_by_trying(table, event + 1, prediction),
                   best_by_trying(table, event, prediction + 1),
                   table[event][prediction] + best_by_trying(table, event + 1, prediction + 1)});
}

}  // namespace

TEST(Soda, FindsTheBestMatchingInOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    Table table(1 + random() % 5, std::vector<double>(1 + random() % 5));
    for (auto& row : table)
      for (double& value : row) value = static_cast<double>(random() % 4) / 4;
    const auto matching = best_matching(table.size(), table[0].size(), in(table));
    EXPECT_NEAR(matching.total, best_by_trying(table, 0, 0), 1e-12);
    EXPECT_EQ(matching.total, best_matching_total(table.size(), table[0].size(), in(table)));
  }
}

TEST(Soda, ReadsPairsBackFromTheLastRow) {
  const Table table = {{0.5, 0, 0.1}, {0, 0.4, 0}};
  EXPECT_THAT(best_matching(2, 3, in(table)).pairs, ElementsAre(Pair(1, 1), Pair(0, 0)));
}

TEST(Soda, TakesTheFirstCellEvenWithoutWeight) {
  const Table table = {{0, 0}, {0, 0}};
  EXPECT_THAT(best_matching(2, 2, in(table)).pairs, ElementsAre(Pair(0, 0)));
}

TEST(Soda, PassesOverRowsWithoutAPair) {
  const Table table = {{0.9}, {0.2}};
  EXPECT_THAT(best_matching(2, 1, in(table)).pairs, ElementsAre(Pair(0, 0)));
}

TEST(Soda, OfNothingIsZero) {
  const SodaVideo empty{.events = 2, .predictions = 0};
  for (const SodaKind kind : {SodaKind::a, SodaKind::b, SodaKind::c, SodaKind::d})
    EXPECT_EQ(soda_total(kind, empty), 0);
  EXPECT_EQ(soda_score(0, 2, 0).f1, 0);
  EXPECT_EQ(soda_score(0, 0, 0).f1, 0);
}

TEST(Soda, KindsDifferInWhatMatchesAndWhatIsSummed) {
  const Table iou = {{0.6, 0.2}, {0.0, 0.8}};
  const Table meteor = {{0.5, 0.3}, {0.7, 0.1}};
  const SodaVideo video{.events = 2, .predictions = 2, .iou = in(iou), .meteor = in(meteor)};
  EXPECT_NEAR(soda_total(SodaKind::d, video), 1.4, 1e-12);
  EXPECT_NEAR(soda_total(SodaKind::c, video), 0.6 * 0.5 + 0.8 * 0.1, 1e-12);
  EXPECT_NEAR(soda_total(SodaKind::b, video), 0.5 + 0.1, 1e-12);
  // At 0.3 and 0.5 both pairs. At 0.7 the first has weight 0 but is still the table's first cell;
  // at 0.9 it is the only one left.
  EXPECT_NEAR(soda_total(SodaKind::a, video), (0.6 + 0.6 + 0.6 + 0.5) / 4, 1e-12);
}

TEST(Soda, AsksForMeteorOnlyWhereTimesOverlap) {
  const Table iou = {{0.6, 0}};
  const SodaVideo video{
      .events = 1, .predictions = 2, .iou = in(iou), .meteor = [](size_t, size_t prediction) {
        EXPECT_EQ(prediction, 0);
        return 0.5;
      }};
  EXPECT_NEAR(soda_total(SodaKind::c, video), 0.3, 1e-12);
  const SodaScore score = soda_score(0.3, 1, 2);
  EXPECT_NEAR(score.precision, 0.15, 1e-12);
  EXPECT_NEAR(score.recall, 0.3, 1e-12);
  EXPECT_NEAR(score.f1, 0.2, 1e-12);
}

}  // namespace pdvc
