#include "base/progress.h"

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "support/files.h"

namespace pdvc {
namespace {

// A clock that a test turns by hand.
struct ManualClock {
  double now = 0;
  Clock clock() {
    return [this] { return now; };
  }
};

}  // namespace

TEST(Progress, ShowsABarWithRateAndTimeLeft) {
  RecordingLog log;
  ManualClock clock;
  Progress progress(log, ProgressMode::bar, "reading", 100, clock.clock());
  clock.now = 10;
  progress.advance(50);
  EXPECT_EQ(log.str(), "reading 50/100 [============            ] 5.0/s, 0:10 left");
}

TEST(Progress, TakesTheBarAwayForMessagesAndAtTheEnd) {
  RecordingLog log;
  ManualClock clock;
  Progress progress(log, ProgressMode::bar, "reading", 2, clock.clock());
  clock.now = 1;
  progress.advance();
  log.log.warning("look");
  EXPECT_TRUE(log.str().ends_with("left\r\033[Ktest: warning: look\n"));
  clock.now = 2;
  progress.advance();
  progress.finish();
  EXPECT_TRUE(log.str().ends_with("\r\033[K"));
}

TEST(Progress, PrintsOneJsonObjectALine) {
  RecordingLog log;
  ManualClock clock;
  {
    Progress progress(log, ProgressMode::json, "reading", 4, clock.clock());
    clock.now = 0.5;
    progress.advance();  // too soon after the last line
    clock.now = 2;
    progress.advance();
    progress.advance(2);
  }
  std::istringstream lines(log.str());
  std::string first, last, none;
  std::getline(lines, first);
  std::getline(lines, last);
  EXPECT_EQ(parse_json(first, "line"), Json({{"progress", "reading"},
                                             {"done", 2},
                                             {"total", 4},
                                             {"per_second", 1.0},
                                             {"seconds_left", 2.0}}));
  EXPECT_EQ(parse_json(last, "line")["done"], 4);
  EXPECT_FALSE(std::getline(lines, none));
}

TEST(Progress, SaysNothingWhenSilentOrQuiet) {
  RecordingLog log;
  ManualClock clock;
  Progress silent(log, ProgressMode::silent, "reading", 4, clock.clock());
  log.log.set_verbosity(Verbosity::quiet);
  Progress quiet(log, ProgressMode::bar, "reading", 4, clock.clock());
  clock.now = 100;
  silent.advance();
  quiet.advance();
  EXPECT_EQ(log.str(), "");
}

TEST(Progress, WritesDurationsLikeAClock) {
  EXPECT_EQ(duration_text(75), "1:15");
  EXPECT_EQ(duration_text(3675), "1:01:15");
  EXPECT_EQ(duration_text(-1), "0:00");
}

TEST(Log, KeepsMessagesOnOneSafeLine) {
  RecordingLog log;
  log.log.error("a\nb\033");
  EXPECT_EQ(log.str(), "test: a\\x0ab\\x1b\n");
}

TEST(Log, IsQuietButForErrorsWhenAskedTo) {
  RecordingLog log;
  log.log.set_verbosity(Verbosity::quiet);
  log.log.warning("w");
  log.log.info("i");
  log.log.detail("d");
  log.log.error("e");
  EXPECT_EQ(log.str(), "test: e\n");
}

}  // namespace pdvc
