#include "criterion/assignment.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace pdvc {
namespace {

double cost_of(const Assignment& assignment, const std::vector<double>& costs, int64_t columns) {
  double sum = 0;
  for (size_t i = 0; i < assignment.rows.size(); ++i)
    sum += costs[static_cast<size_t>(assignment.rows[i] * columns + assignment.columns[i])];
  return sum;
}

// Tries every way to give the smaller side's members different partners.
double cheapest_by_trying(const std::vector<double>& costs, int64_t rows, int64_t columns) {
  const bool wide = columns >= rows;
  std::vector<int64_t> order(static_cast<size_t>(std::max(rows, columns)));
  std::iota(order.begin(), order.end(), 0);
  double best = 1e300;
  do {
    double sum = 0;
    for (int64_t i = 0; i < std::min(rows, columns); ++i) {
      const int64_t other = order[static_cast<size_t>(i)];
      sum += costs[static_cast<size_t>(wide ? i * columns + other : other * columns + i)];
    }
    best = std::min(best, sum);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

}  // namespace

TEST(Assignment, FindsTheCheapestPairs) {
  const std::vector<double> costs = {4, 1, 3, 2, 0, 5, 3, 2, 2};
  const Assignment a = cheapest_assignment(costs, 3, 3);
  EXPECT_THAT(a.rows, testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(a.columns, testing::ElementsAre(1, 0, 2));
}

TEST(Assignment, LeavesAVideoWithoutEventsUnmatched) {
  EXPECT_TRUE(cheapest_assignment({}, 10, 0).rows.empty());
  EXPECT_TRUE(cheapest_assignment({}, 0, 3).rows.empty());
}

TEST(Assignment, IsNeverBeatenByTrying) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-3, 3);
  for (int trial = 0; trial < 300; ++trial) {
    const int64_t rows = 1 + static_cast<int64_t>(random() % 7),
                  columns = 1 + static_cast<int64_t>(random() % 7);
    std::vector<double> costs(static_cast<size_t>(rows * columns));
    for (double& cost : costs)
      cost = trial % 3 == 0 ? std::round(number(random)) : number(random);  // with ties too
    const Assignment a = cheapest_assignment(costs, rows, columns);
    ASSERT_EQ(static_cast<int64_t>(a.rows.size()), std::min(rows, columns));
    EXPECT_TRUE(std::ranges::is_sorted(a.rows));
    EXPECT_NEAR(cost_of(a, costs, columns), cheapest_by_trying(costs, rows, columns), 1e-9);
  }
}

}  // namespace pdvc
