#include "interface/request.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "data/resample.h"

namespace pdvc {
namespace {

constexpr size_t kVideosAtOnce = 8;
constexpr int kWidestBeam = 64;
constexpr int kLongestSentence = 1000;

Shape shape_of(const Features& features) {
  return {static_cast<int64_t>(features.rows), static_cast<int64_t>(features.width)};
}

void check_features(const Features& features, const ModelSettings& settings,
                    const std::string& name) {
  check(features.rows > 0, name, ": has no rows of features (expected at least one)");
  check(features.width == static_cast<size_t>(settings.feature_width), name, ": features are ",
        features.width, " wide (the model expects ", settings.feature_width, ")");
  check(byte_count(DType::f32, shape_of(features)) > 0, name, ": cannot have ", features.rows,
        " rows of features");
  check(features.values != nullptr, name, ": features are a null pointer");
}

void check_proposals(const std::vector<TimeSpan>& proposals, const std::string& name) {
  for (const TimeSpan& span : proposals)
    check(std::isfinite(span.start) && std::isfinite(span.end) && span.start >= 0 &&
              span.end >= span.start,
          name, ": a proposal goes from ", span.start, " to ", span.end,
          " (expected seconds, in order)");
}

void check_video(const Video& video, const ModelSettings& settings, const std::string& name) {
  check_features(video.features, settings, name);
  check(std::isfinite(video.duration) && video.duration > 0, name, ": its duration is ",
        video.duration, " (expected seconds, more than 0)");
  if (video.proposals) check_proposals(*video.proposals, name);
  check(video.proposals || settings.query_source != QuerySource::gt_proposals, name,
        ": has no proposals (the model captions given ones)");
}

void check_finite(const std::optional<double>& number, const char* name) {
  check(std::isfinite(number.value_or(0)), name, " is ", number.value_or(0),
        " (expected a finite number)");
}

}  // namespace

void check_videos(std::span<const Video> videos, const ModelSettings& settings) {
  for (size_t i = 0; i < videos.size(); ++i)
    check_video(videos[i], settings, videos.size() == 1 ? "video" : join_text("video ", i));
}

SearchOptions search_options(const CaptionOptions& options, const ModelSettings& settings) {
  check(options.beam >= 1 && options.beam <= kWidestBeam, "beam is ", options.beam,
        " (expected 1 to ", kWidestBeam, ")");
  const int64_t longest = options.max_words ? *options.max_words : settings.longest_caption;
  check(longest >= 1 && longest <= kLongestSentence, "max_words is ", longest, " (expected 1 to ",
        kLongestSentence, ")");
  return {.beam = options.beam, .longest = longest};
}

SelectionOptions selection_options(const CaptionOptions& options) {
  check(!options.count || *options.count >= 1, "count is ", options.count.value_or(0),
        " (expected at least 1)");
  check_finite(options.rank_weight, "rank_weight");
  check_finite(options.rank_gamma, "rank_gamma");
  SelectionOptions selection{.all_queries = options.all_queries,
                             .rank_weight = options.rank_weight,
                             .rank_gamma = options.rank_gamma};
  if (options.count) selection.count = *options.count;
  return selection;
}

std::vector<VideoBatch> batches_of(std::span<const Video> videos) {
  std::vector<VideoBatch> batches;
  for (const bool proposals : {false, true})
    for (size_t v = 0; v < videos.size(); ++v) {
      if (videos[v].proposals.has_value() != proposals) continue;
      if (batches.empty() || batches.back().proposals != proposals ||
          batches.back().videos.size() == kVideosAtOnce)
        batches.push_back({.proposals = proposals});
      batches.back().videos.push_back(v);
    }
  return batches;
}

Array prepared_features(const Features& features, const ModelSettings& settings) {
  Array array(DType::f32, shape_of(features));
  std::copy_n(features.values, array.elements(), array.floats().begin());
  if (settings.resample) array = resampled(array, settings.frames);
  std::ranges::replace_if(
      array.floats(), [](float value) { return !std::isfinite(value); }, 0.0f);
  return array;
}

std::vector<Segment> proposals_of(const Video& video) {
  std::vector<Segment> segments;
  if (!video.proposals) return segments;
  for (const TimeSpan& span : *video.proposals) segments.push_back({span.start, span.end});
  return segments;
}

}  // namespace pdvc
