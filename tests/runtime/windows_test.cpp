#include "runtime/windows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pdvc {
namespace {

Event event_at(double start, double end, double score) {
  return {.segment = {start, end}, .sentence = "x", .joint_score = score};
}

TEST(Windows, OverlapByHalfAndEndWithTheVideo) {
  const auto windows = windows_of(100, 40);
  ASSERT_EQ(windows.size(), 4u);
  EXPECT_EQ(windows[0], (Segment{0, 40}));
  EXPECT_EQ(windows[1], (Segment{20, 60}));
  EXPECT_EQ(windows[2], (Segment{40, 80}));
  EXPECT_EQ(windows[3], (Segment{60, 100}));
  EXPECT_EQ(windows_of(90, 40).back(), (Segment{50, 90}));
  EXPECT_EQ(windows_of(30, 40), (std::vector<Segment>{{0, 30}}));
  EXPECT_EQ(windows_of(40, 40), (std::vector<Segment>{{0, 40}}));
}

TEST(Windows, CoverEveryRow) {
  for (const int64_t rows : {1, 2, 7, 100, 1001})
    for (const double duration : {10.0, 95.5, 7200.0}) {
      std::vector<bool> covered(static_cast<size_t>(rows), false);
      for (const Segment& window : windows_of(duration, 30)) {
        const WindowRows range = rows_of(window, duration, rows);
        ASSERT_GE(range.count, 1);
        ASSERT_GE(range.first, 0);
        ASSERT_LE(range.first + range.count, rows);
        for (int64_t r = range.first; r < range.first + range.count; ++r)
          covered[static_cast<size_t>(r)] = true;
      }
      EXPECT_EQ(std::ranges::count(covered, false), 0) << rows << " rows, " << duration << " s";
    }
}

TEST(Windows, DropACutEventThatTheNeighbourSeesWhole) {
  const std::vector<Segment> windows = {{0, 40}, {20, 60}};
  const std::vector<std::vector<Event>> events = {{event_at(2, 10, 1), event_at(30, 40, 0.9)},
                                                  {event_at(30, 50, 0.5)}};
  const auto merged = merge_windows(windows, events, 60);
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].segment, (Segment{2, 10}));
  EXPECT_EQ(merged[1].segment, (Segment{30, 50}));
}

TEST(Windows, KeepACutEventThatNobodySeesWhole) {
  const std::vector<Segment> windows = {{0, 40}, {20, 60}};
  const std::vector<std::vector<Event>> events = {{event_at(10, 40, 0.9)}, {event_at(50, 58, 0.5)}};
  EXPECT_EQ(merge_windows(windows, events, 60).size(), 2u);
}

TEST(Windows, DoNotTakeTheVideosOwnEndsForCuts) {
  const std::vector<Segment> windows = {{0, 40}, {20, 60}};
  const std::vector<std::vector<Event>> events = {{event_at(0, 12, 0.2), event_at(5, 30, 0.1)},
                                                  {event_at(45, 60, 0.2), event_at(41, 55, 0.1)}};
  EXPECT_EQ(merge_windows(windows, events, 60).size(), 4u);
}

TEST(Windows, KeepTheBetterOfTwoEventsAtTheSameTime) {
  const std::vector<Segment> windows = {{0, 40}, {20, 60}};
  const std::vector<std::vector<Event>> events = {{event_at(25, 35, 0.3)}, {event_at(25, 34, 0.6)}};
  const auto merged = merge_windows(windows, events, 60);
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].joint_score, 0.6);
}

}  // namespace
}  // namespace pdvc
