#include "training/corpus.h"

#include <unordered_set>

#include "base/error.h"
#include "data/annotations.h"

namespace pdvc {
namespace {

std::unordered_set<std::string> unwanted_videos(const FileSettings& files) {
  std::unordered_set<std::string> result;
  for (const std::string& path : files.invalid_videos) result.merge(read_video_list(path));
  return result;
}

}  // namespace

std::shared_ptr<const FeatureSource> feature_source(const Settings& settings) {
  check(!settings.files.feature_folders.empty(),
        "visual_feature_folder: is not set (expected the folders or HDF5 files of the features)");
  return std::make_shared<const FeatureSource>(
      streams_from(settings.files.feature_folders, settings.model.feature_types));
}

std::vector<VideoEvents> read_corpus(const std::string& annotations, const Settings& settings,
                                     const FeatureSource& features, Log& log) {
  std::vector<VideoEvents> videos = read_annotations(annotations, kTrainingData, log);
  const size_t annotated = videos.size();
  const std::unordered_set<std::string> unwanted = unwanted_videos(settings.files);
  std::erase_if(videos, [&](const VideoEvents& video) { return unwanted.contains(video.video); });
  // Nothing can be said about no proposals.
  if (settings.model.query_source == QuerySource::gt_proposals)
    std::erase_if(videos, [](const VideoEvents& video) { return video.events.empty(); });
  const FeatureCoverage coverage = coverage_of(features, names_of_videos(videos));
  if (!coverage.missing.empty()) report_missing(coverage.missing, videos.size(), log);
  const std::unordered_set<std::string> missing(coverage.missing.begin(), coverage.missing.end());
  std::erase_if(videos, [&](const VideoEvents& video) { return missing.contains(video.video); });
  check(!videos.empty(), annotations, ": none of its ", annotated,
        " videos can be used (expected at least one with features)");
  for (const VideoEvents& video : videos)
    check(video.duration.value_or(0) > 0, annotations, ": ", video.video, ": lasts ",
          video.duration.value_or(0), " seconds (expected more than 0)");
  return videos;
}

std::vector<std::string> sentences_of(const std::vector<VideoEvents>& videos) {
  std::vector<std::string> sentences;
  for (const VideoEvents& video : videos)
    for (const Event& event : video.events) sentences.push_back(event.sentence);
  return sentences;
}

}  // namespace pdvc
