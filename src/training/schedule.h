// How the learning rate and the share of own words change over a run.
#pragma once

#include "data/settings.h"

namespace pdvc {

// How far a run is: whole and partial epochs, and optimiser steps. Epochs and not steps decide
// where the rate falls, so that a run may go on with another number of workers.
struct RunPosition {
  double epochs = 0;
  int64_t steps = 0;
};

// The rate of the optimiser step that starts at this position.
double learning_rate_at(const TrainingSettings& settings, RunPosition position);

// Scheduled sampling: the share of words in an epoch that the model's own replace.
double own_words_in(const TrainingSettings& settings, int64_t epoch);

}  // namespace pdvc
