// All that a run needs to go on, in one model file that captions as well.
#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <limits>
#include <vector>

#include "base/log.h"
#include "data/model_file.h"
#include "training/adam.h"
#include "training/moving_average.h"

namespace pdvc {

// How far a run is.
struct RunProgress {
  int64_t epoch = 0;   // under way, counted from 0
  int64_t videos = 0;  // of this epoch that are done
  int64_t steps = 0;   // of the optimiser
  double seconds = 0;  // spent in all sessions
  int64_t best_epoch = -1;
  double best = -std::numeric_limits<double>::infinity();
  int64_t since_best = 0;  // validations
  double loss_sum = 0;     // of this epoch's batches
  int64_t batches = 0;
  int64_t log_bytes = 0;         // of log.jsonl
  Json history = Json::array();  // an object for each epoch that has ended
};
void fields(RunProgress& progress, FieldList& visit);  // all but the best score and the history

// The parts of a run that change from step to step.
struct RunState {
  torch::nn::Module& model;
  Adam& optimizer;
  MovingAverage& average;
  RunProgress& progress;
};

// Written whole or not at all. The weights that caption are the averaged ones where there is an
// average; what training goes on with is under "optimizer.".
void save_checkpoint(const std::filesystem::path& path, const ModelDescription& description,
                     const RunState& state);

// Puts a run back to where the checkpoint left it, Torch's generator included. Throws when the file
// is damaged, is of another model, or is a model that was not written by training.
void load_checkpoint(const std::filesystem::path& path, const RunState& state, Log& log);

}  // namespace pdvc
