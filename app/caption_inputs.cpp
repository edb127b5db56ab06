#include "caption_inputs.h"

#include <algorithm>

#include "base/error.h"
#include "data/feature_origin.h"
#include "video/backbones.h"
#include "video/extraction.h"
#include "video/probe.h"
#include "video_files.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

bool has_feature_name(const fs::path& path) { return has_array_name(path) || has_hdf5_name(path); }

bool holds(const fs::path& folder, bool (*is_wanted)(const fs::path&)) {
  return std::ranges::any_of(fs::directory_iterator(folder), [&](const fs::directory_entry& entry) {
    return entry.is_regular_file() && is_wanted(entry.path());
  });
}

FeatureVideo video_of(const VideoFile& file, const std::shared_ptr<VideoEncoding>& encoding) {
  return {.name = file.name,
          .read = [path = file.path, encoding](Log& log) { return encoding->read(path, log); },
          .film = file.path == "-" ? fs::path() : file.path};
}

}  // namespace

std::string VideoEncoding::backbone_name() const {
  check(wanted_ || !options_.backbone.empty(), model_,
        ": does not say what makes its features of videos (give --backbone)");
  check(!wanted_ || options_.backbone.empty() || options_.backbone == wanted_->name, model_,
        ": was trained on features of ", wanted_ ? wanted_->name : "", ", not of ",
        options_.backbone);
  return wanted_ ? wanted_->name : options_.backbone;
}

EncoderPool& VideoEncoding::encoders() {
  const std::lock_guard lock(mutex_);
  if (!encoders_)
    encoders_ = pool_of(backbone_name(), options_.weights,
                        {.output = wanted_ ? wanted_->output : "features",
                         .threads = options_.threads,
                         .clips = wanted_});
  return *encoders_;
}

void VideoEncoding::check_width(const ClipEncoder& encoder) const {
  const Backbone& made = encoder.description();
  check(made.width == width_, model_, ": takes features ", width_, " wide (", made.name,
        " with these weights makes them ", made.width, " wide)");
}

VideoRows VideoEncoding::read(const fs::path& video, Log& log) {
  if (video != "-") probe_video(video);  // what is no video needs no network to say so
  const EncoderPool::Lease encoder = encoders().take();
  check_width(*encoder);
  VideoFeatures features =
      features_of_video(video, *encoder, {.threads = encoder.share_of(options_.threads)}, log);
  VideoRows rows{.streams = {}, .duration = features.duration, .comment = features.comment};
  rows.streams.push_back(checked_features(std::move(features.rows), video.string(), log));
  return rows;
}

std::vector<FeatureVideo> captionable_in(const fs::path& input,
                                         const std::shared_ptr<VideoEncoding>& encoding,
                                         const std::optional<Backbone>& wanted) {
  const bool folder = input != "-" && fs::is_directory(input);
  const bool features = folder ? holds(input, has_feature_name) : has_feature_name(input);
  const bool videos = folder ? holds(input, has_video_name) : !features;
  check(features || videos, input, ": holds neither features (.npy, .npz, .h5) nor videos");
  std::vector<FeatureVideo> all;
  if (features) {
    if (wanted) check_made_by(folder ? input : input.parent_path(), *wanted);
    all = videos_in(input);
  }
  if (videos)
    for (const VideoFile& file : video_files_in(input)) all.push_back(video_of(file, encoding));
  return all;
}

}  // namespace pdvc
