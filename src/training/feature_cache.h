// Features as the model takes them, remembered from epoch to epoch.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "data/features.h"
#include "data/settings.h"

namespace pdvc {

// Reads, joins and resamples the features of a video, or remembers them. What is once remembered
// stays: every epoch asks for every video once, so that making room for new ones would throw out
// just those that come next. Safe to use from several threads.
class FeatureCache {
 public:
  FeatureCache(std::shared_ptr<const FeatureSource> source, const ModelSettings& settings,
               int64_t most_bytes, Log& log);

  // [frame, channel]; throws when a file is missing, damaged or of another width.
  torch::Tensor features(const std::string& video);

 private:
  torch::Tensor read(const std::string& video) const;

  std::shared_ptr<const FeatureSource> source_;
  int64_t width_, frames_;  // frames 0: as many as there are
  Log& log_;
  int64_t bytes_left_;
  std::mutex mutex_;
  std::unordered_map<std::string, torch::Tensor> known_;
};

}  // namespace pdvc
