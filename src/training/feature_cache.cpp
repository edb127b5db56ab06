#include "training/feature_cache.h"

#include "base/error.h"
#include "data/resample.h"
#include "model/weights.h"

namespace pdvc {

FeatureCache::FeatureCache(std::shared_ptr<const FeatureSource> source,
                           const ModelSettings& settings, int64_t most_bytes, Log& log)
    : source_(std::move(source)),
      width_(settings.feature_width),
      frames_(settings.resample ? settings.frames : 0),
      log_(log),
      bytes_left_(most_bytes) {}

torch::Tensor FeatureCache::features(const std::string& video) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = known_.find(video); at != known_.end()) return at->second;
  }
  const torch::Tensor result = read(video);
  const int64_t bytes = result.numel() * static_cast<int64_t>(sizeof(float));
  const std::lock_guard lock(mutex_);
  if (bytes <= bytes_left_ && known_.emplace(video, result).second) bytes_left_ -= bytes;
  return result;
}

torch::Tensor FeatureCache::read(const std::string& video) const {
  const Array joined = joined_streams(source_->read(video, log_), frames_, video);
  check(joined.shape().at(1) == width_, video, ": its features are ", joined.shape().at(1),
        " wide (expected feature_dim ", width_, ")");
  return to_torch(joined.view());
}

}  // namespace pdvc
