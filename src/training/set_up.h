// The parts of a run before its first step, as the request and the settings want them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/log.h"
#include "criterion/losses.h"
#include "model/pdvc.h"
#include "text/vocabulary.h"
#include "training/adam.h"
#include "training/distributed.h"
#include "training/request.h"
#include "training/run_folder.h"

namespace pdvc {

// Throws at once when the device is not there.
torch::Device device_for(const std::string& name, const Workers& workers);

Criterion criterion_for(const Settings& settings, const std::vector<VideoEvents>& training);

AdamOptions optimizer_options(const TrainingSettings& settings);

// Another stream of random numbers for each worker; the weights at the start are the same for all.
uint64_t worker_seed(int64_t seed, int rank, int64_t steps);

int64_t parameter_count(const torch::nn::Module& model);

// Of the run that goes on, else the file that the settings name, else of the model to begin with,
// else made of the training captions.
Vocabulary vocabulary_for(const TrainingRequest& request, const RunFolder& folder,
                          const std::vector<VideoEvents>& training, Log& log);

// Of a model file, or of a published .pth.
void read_weights(const std::filesystem::path& path, const ModelSettings& settings, PdvcImpl& model,
                  Log& log);

}  // namespace pdvc
