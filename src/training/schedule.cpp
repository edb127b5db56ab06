#include "training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pdvc {
namespace {

// Falls at the start of epochs start + k * every, for k below floor((epochs - start) / every).
double step_factor(const TrainingSettings& s, double epochs) {
  const auto epoch = static_cast<int64_t>(epochs);
  if (s.decay_start < 0 || epoch < s.decay_start) return 1;
  const int64_t most = std::max<int64_t>((s.epochs - s.decay_start) / s.decay_every, 0);
  const int64_t falls = std::min((epoch - s.decay_start) / s.decay_every + 1, most);
  return std::pow(s.decay_rate, static_cast<double>(falls));
}

double cosine_factor(const TrainingSettings& s, double epochs) {
  const double done = s.epochs > 0 ? std::min(epochs / static_cast<double>(s.epochs), 1.0) : 1.0;
  return (1 + std::cos(std::numbers::pi * done)) / 2;
}

double factor_at(const TrainingSettings& s, double epochs) {
  switch (s.schedule) {
    case Schedule::step:
      return step_factor(s, epochs);
    case Schedule::cosine:
      return cosine_factor(s, epochs);
    case Schedule::constant:
      break;
  }
  return 1;
}

}  // namespace

double learning_rate_at(const TrainingSettings& s, RunPosition position) {
  const double warm = position.steps < s.warmup
                          ? static_cast<double>(position.steps + 1) / static_cast<double>(s.warmup)
                          : 1.0;
  return s.learning_rate * warm * factor_at(s, position.epochs);
}

double own_words_in(const TrainingSettings& s, int64_t epoch) {
  if (s.sampling_start < 0 || epoch < s.sampling_start) return 0;
  const auto increases = static_cast<double>((epoch - s.sampling_start) / s.sampling_every);
  return std::min(s.sampling_initial + s.sampling_step * increases, s.sampling_most);
}

}  // namespace pdvc
