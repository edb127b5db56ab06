// What `pdvc caption` is given to caption: features, videos, or folders of both.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "command.h"
#include "data/feature_videos.h"
#include "data/model_file.h"
#include "video/encoder_pool.h"

namespace pdvc {

// Turns videos into the features that a model takes. What makes them is loaded with the first
// video.
class VideoEncoding {
 public:
  struct Options {
    std::string backbone;           // empty: the model's
    std::filesystem::path weights;  // empty: those in the cache
    int threads = 1;
  };
  // `model`: its name, for messages.
  VideoEncoding(Options options, const ModelDescription& description, std::string model)
      : options_(std::move(options)),
        wanted_(description.backbone),
        width_(description.settings.model.feature_width),
        model_(std::move(model)) {}

  VideoRows read(const std::filesystem::path& video, Log& log);

 private:
  std::string backbone_name() const;
  EncoderPool& encoders();
  void check_width(const ClipEncoder& encoder) const;

  Options options_;
  std::optional<Backbone> wanted_;
  int64_t width_;
  std::string model_;
  std::mutex mutex_;
  std::unique_ptr<EncoderPool> encoders_;
};

// The videos of a feature file, of a video ("-": standard input) or of a folder, by name. Throws
// where a folder's features were made by another backbone than the model's.
std::vector<FeatureVideo> captionable_in(const std::filesystem::path& input,
                                         const std::shared_ptr<VideoEncoding>& encoding,
                                         const std::optional<Backbone>& wanted);

}  // namespace pdvc
