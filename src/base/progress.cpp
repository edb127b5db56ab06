#include "base/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace pdvc {
namespace {
constexpr double kSecondsBetweenBars = 0.1;
constexpr double kSecondsBetweenLines = 1.0;
constexpr int kBarWidth = 24;
}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(std::clamp(seconds, 0.0, 1e9)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

Progress::Progress(Log& log, ProgressMode mode, std::string work, int64_t total, Clock clock)
    : log_(log),
      mode_(log.verbosity() == Verbosity::quiet && mode == ProgressMode::bar ? ProgressMode::silent
                                                                             : mode),
      work_(std::move(work)),
      total_(total),
      clock_(std::move(clock)),
      started_(clock_()),
      shown_(started_) {}

void Progress::advance(int64_t steps) {
  const std::lock_guard lock(mutex_);
  done_ += steps;
  if (mode_ == ProgressMode::silent) return;
  const double now = clock_();
  const double pause = mode_ == ProgressMode::bar ? kSecondsBetweenBars : kSecondsBetweenLines;
  if (now - shown_ >= pause) show(now);
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (mode_ == ProgressMode::json) show(clock_());
  if (mode_ == ProgressMode::bar) log_.status("");
}

void Progress::show(double now) {
  shown_ = now;
  const double rate = now > started_ ? static_cast<double>(done_) / (now - started_) : 0;
  if (mode_ == ProgressMode::bar)
    log_.status(bar_line(rate));
  else
    log_.raw(json_line(rate));
}

double Progress::seconds_left(double rate) const {
  return static_cast<double>(std::max<int64_t>(total_ - done_, 0)) / rate;
}

std::string Progress::bar_line(double rate) const {
  if (total_ <= 0) return fmt::format("{} {}  {:.1f}/s", work_, done_, rate);
  const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
  const int filled = static_cast<int>(share * kBarWidth);
  const std::string left = rate > 0 ? duration_text(seconds_left(rate)) : "?";
  return fmt::format("{} {}/{} [{:=<{}}{: <{}}] {:.1f}/s, {} left", work_, done_, total_, "",
                     filled, "", kBarWidth - filled, rate, left);
}

std::string Progress::json_line(double rate) const {
  Json line = {{"progress", work_}, {"done", done_}, {"per_second", rate}};
  line["total"] = total_ > 0 ? Json(total_) : Json(nullptr);
  line["seconds_left"] = total_ > 0 && rate > 0 ? Json(seconds_left(rate)) : Json(nullptr);
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pdvc
