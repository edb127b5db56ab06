#include "criterion/assignment.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pdvc {
namespace {

constexpr int64_t kNone = -1;

// Adds one row at a time along the cheapest alternating path, keeping prices for rows and columns
// under which every pair that is taken is tight and no pair is cheaper than its prices. Needs rows
// <= columns.
class Solver {
 public:
  Solver(std::span<const double> costs, int64_t rows, int64_t columns, bool transposed)
      : costs_(costs), rows_(rows), columns_(columns), transposed_(transposed) {
    row_price_.assign(static_cast<size_t>(rows), 0);
    column_price_.assign(static_cast<size_t>(columns), 0);
    row_of_column_.assign(static_cast<size_t>(columns), kNone);
  }

  const std::vector<int64_t>& solve() {
    for (int64_t row = 0; row < rows_; ++row) add_row(row);
    return row_of_column_;
  }

 private:
  double cost(int64_t row, int64_t column) const {
    const int64_t at = transposed_ ? column * rows_ + row : row * columns_ + column;
    return costs_[static_cast<size_t>(at)] - row_price_[static_cast<size_t>(row)] -
           column_price_[static_cast<size_t>(column)];
  }

  void add_row(int64_t new_row) {
    const auto count = static_cast<size_t>(columns_);
    std::vector<double> distance(count, std::numeric_limits<double>::infinity());
    std::vector<int64_t> previous(count, kNone);  // the column before, on the path
    std::vector<char> done(count, 0);
    int64_t row = new_row, column = kNone;
    double travelled = 0;
    do {
      int64_t nearest = kNone;
      for (int64_t j = 0; j < columns_; ++j) {
        const auto index = static_cast<size_t>(j);
        if (done[index]) continue;
        const double reached = travelled + cost(row, j);
        if (reached < distance[index]) {
          distance[index] = reached;
          previous[index] = column;
        }
        if (nearest == kNone || distance[index] < distance[static_cast<size_t>(nearest)])
          nearest = j;
      }
      column = nearest;
      travelled = distance[static_cast<size_t>(column)];
      done[static_cast<size_t>(column)] = 1;
      row = row_of_column_[static_cast<size_t>(column)];
    } while (row != kNone);
    adjust_prices(new_row, distance, done, travelled);
    for (int64_t at = column; at != kNone;) {
      const int64_t before = previous[static_cast<size_t>(at)];
      row_of_column_[static_cast<size_t>(at)] =
          before == kNone ? new_row : row_of_column_[static_cast<size_t>(before)];
      at = before;
    }
  }

  void adjust_prices(int64_t new_row, const std::vector<double>& distance,
                     const std::vector<char>& done, double travelled) {
    row_price_[static_cast<size_t>(new_row)] += travelled;
    for (size_t j = 0; j < done.size(); ++j)
      if (done[j]) {
        column_price_[j] -= travelled - distance[j];
        if (row_of_column_[j] != kNone)
          row_price_[static_cast<size_t>(row_of_column_[j])] += travelled - distance[j];
      }
  }

  std::span<const double> costs_;
  int64_t rows_, columns_;
  bool transposed_;
  std::vector<double> row_price_, column_price_;
  std::vector<int64_t> row_of_column_;
};

}  // namespace

Assignment cheapest_assignment(std::span<const double> costs, int64_t rows, int64_t columns) {
  const bool transposed = rows > columns;
  Solver solver(costs, std::min(rows, columns), std::max(rows, columns), transposed);
  const std::vector<int64_t>& partner = solver.solve();
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t j = 0; j < partner.size(); ++j)
    if (partner[j] != kNone)
      pairs.emplace_back(transposed ? static_cast<int64_t>(j) : partner[j],
                         transposed ? partner[j] : static_cast<int64_t>(j));
  std::ranges::sort(pairs);
  Assignment result;
  for (const auto& [row, column] : pairs) {
    result.rows.push_back(row);
    result.columns.push_back(column);
  }
  return result;
}

}  // namespace pdvc
