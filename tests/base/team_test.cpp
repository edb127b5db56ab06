#include "base/team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace pdvc {
namespace {

TEST(Team, RunsEachIndexOnceOnAThreadOfItsOwn) {
  for (const int threads : {1, 2, 3, 7}) {
    Team team(threads);
    ASSERT_EQ(team.size(), threads);
    std::vector<std::vector<std::thread::id>> ran(static_cast<size_t>(threads));
    team.run([&](int i) { ran.at(static_cast<size_t>(i)).push_back(std::this_thread::get_id()); });
    std::set<std::thread::id> different;
    for (const auto& each : ran) {
      ASSERT_EQ(each.size(), 1u);
      different.insert(each[0]);
    }
    EXPECT_EQ(std::ssize(different), threads);
    EXPECT_EQ(ran[0][0], std::this_thread::get_id());
  }
}

// Plain numbers: each thread must see what its neighbour wrote the time before.
TEST(Team, ServesThousandsOfTimes) {
  constexpr int64_t kTimes = 3000;
  Team team(3);
  std::vector<int64_t> now(3, 0), next(3, 0);
  for (int64_t time = 0; time < kTimes; ++time) {
    team.run([&](int i) {
      const auto own = static_cast<size_t>(i);
      next[own] = now[(own + 1) % 3] + 1;
    });
    std::swap(now, next);
  }
  EXPECT_EQ(now, std::vector<int64_t>(3, kTimes));
}

TEST(Team, ServesAgainAfterItFellAsleep) {
  Team team(2);
  std::atomic<int> runs = 0;
  for (int round = 0; round < 3; ++round) {
    team.run([&](int) { ++runs; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // much longer than it spins
  }
  EXPECT_EQ(runs, 6);
}

TEST(Team, RethrowsWhatAnyOfItsThreadsThrew) {
  Team team(3);
  for (const int bad : {0, 1, 2}) {
    std::atomic<int> others = 0;
    try {
      team.run([&](int i) {
        if (i == bad) throw std::runtime_error("from " + std::to_string(i));
        ++others;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "from " + std::to_string(bad));
    }
    EXPECT_EQ(others, 2);
  }
}

TEST(Team, ThrowsOneOfManyAndThenWorksOn) {
  for (const int threads : {1, 4}) {
    Team team(threads);
    EXPECT_THROW(team.run([](int) { throw std::invalid_argument("all"); }), std::invalid_argument);
    std::atomic<int> runs = 0;
    EXPECT_NO_THROW(team.run([&](int) { ++runs; }));
    EXPECT_EQ(runs, threads);
  }
}

TEST(Team, ComesAndGoesWithoutWork) {
  for (int i = 0; i < 100; ++i) Team team(3);
}

TEST(Team, WorksBesideOtherTeams) {
  std::vector<std::thread> owners;
  std::vector<int64_t> counts(4, 0);
  for (size_t owner = 0; owner < counts.size(); ++owner)
    owners.emplace_back([&counts, owner] {
      Team team(2);
      std::vector<int64_t> own(2, 0);
      for (int round = 0; round < 500; ++round)
        team.run([&](int i) { ++own[static_cast<size_t>(i)]; });
      counts[owner] = own[0] + own[1];
    });
  for (std::thread& owner : owners) owner.join();
  for (const int64_t count : counts) EXPECT_EQ(count, 1000);
}

}  // namespace
}  // namespace pdvc
