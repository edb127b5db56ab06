#include "training/watch.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace pdvc {

Watch::Watch(Log& log, ProgressMode mode, Clock clock)
    : log_(log), mode_(mode), clock_(std::move(clock)) {}

double Watch::rate(double now) const {
  return now > started_ ? static_cast<double>(steps_) / (now - started_) : 0;
}

void Watch::step(const StepReport& r) {
  const double now = clock_();
  if (started_ == 0)
    started_ = now;
  else
    ++steps_;
  constexpr double kInterval = 0.5;
  const bool last = r.step == r.steps;
  if (mode_ == ProgressMode::silent || (now - shown_ < kInterval && !last)) return;
  shown_ = now;
  const double per_second = rate(now);
  const double left =
      per_second > 0 ? r.epochs_left * static_cast<double>(r.steps) / per_second : 0;
  if (mode_ == ProgressMode::json) {
    log_.raw(json_text(Json{{"progress", "train"},
                            {"epoch", r.epoch},
                            {"epochs", r.epochs},
                            {"step", r.step},
                            {"steps", r.steps},
                            {"loss", r.loss},
                            {"per_second", per_second},
                            {"seconds_left", left}}));
    return;
  }
  log_.status(fmt::format(
      "epoch {}/{}  step {}/{}  loss {:.2f} (label {:.3f} giou {:.3f} count {:.3f} caption "
      "{:.3f})  {:.1f} steps/s  {} left",
      r.epoch, r.epochs, r.step, r.steps, r.loss, r.label, r.giou, r.count, r.caption, per_second,
      per_second > 0 ? duration_text(left) : "?"));
}

void Watch::pause() {
  if (mode_ == ProgressMode::bar) log_.status("");
}

}  // namespace pdvc
