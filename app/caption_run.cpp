#include "caption_run.h"

#include <algorithm>

#include "attempt.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "data/resample.h"
#include "runtime/windows.h"
#include "shapes/corpus.h"

namespace pdvc {

CaptionRun::CaptionRun(const CaptionOptions& options, const Engine& engine,
                       VideosByName annotations, VideosByName proposals, Session& session)
    : options_(options),
      engine_(engine),
      settings_(engine.description().settings.model),
      annotations_(std::move(annotations)),
      proposals_(std::move(proposals)),
      session_(session),
      workspace_(session.threads) {
  search_.beam = options.beam;
  search_.longest = options.max_words > 0 ? options.max_words : settings_.longest_caption;
  selection_.all_queries = options.all_queries || by_proposals();
  if (options.count > 0) selection_.count = options.count;
  if (options.rank_weight >= 0) selection_.rank_weight = options.rank_weight;
  if (options.rank_gamma >= 0) selection_.rank_gamma = options.rank_gamma;
}

std::vector<VideoEvents> CaptionRun::caption(std::span<const FeatureVideo> videos) {
  std::vector<std::optional<Loaded>> loaded = load_all(videos);
  say_note(loaded);
  std::vector<Piece> pieces;
  for (size_t v = 0; v < videos.size(); ++v)
    if (loaded[v])
      for (size_t w = 0; w < loaded[v]->windows.size(); ++w) pieces.push_back({v, w});
  predict(loaded, pieces);
  std::vector<VideoEvents> results;
  for (size_t v = 0; v < videos.size(); ++v)
    if (loaded[v]) results.push_back(events_of(videos[v].name, *loaded[v]));
  return results;
}

bool CaptionRun::by_proposals() const {
  return !options_.proposals.empty() || settings_.query_source == QuerySource::gt_proposals;
}

std::vector<std::optional<CaptionRun::Loaded>> CaptionRun::load_all(
    std::span<const FeatureVideo> videos) {
  std::vector<std::optional<Loaded>> loaded(videos.size());
  parallel_for(session_.threads, static_cast<int64_t>(videos.size()), [&](int64_t i) {
    const FeatureVideo& video = videos[static_cast<size_t>(i)];
    attempt(video.name, session_.log, [&] { loaded[static_cast<size_t>(i)] = load(video); });
  });
  return loaded;
}

CaptionRun::Loaded CaptionRun::load(const FeatureVideo& video) {
  VideoRows rows = video.read(session_.log);
  Loaded loaded{.streams = std::move(rows.streams), .familiar = is_shapes_film(rows.comment)};
  int64_t width = 0;
  for (const Array& stream : loaded.streams) width += stream.shape()[1];
  check(width == settings_.feature_width, printable(video.name), ": features are ", width,
        " wide (the model expects ", settings_.feature_width, ")");
  loaded.duration = options_.duration <= 0 && rows.duration
                        ? *rows.duration
                        : duration_of(video.name, loaded.streams.front().shape()[0]);
  loaded.windows = options_.window > 0 ? windows_of(loaded.duration, options_.window)
                                       : std::vector<Segment>{{0, loaded.duration}};
  loaded.events.resize(loaded.windows.size());
  if (!by_proposals()) return loaded;
  const VideoEvents* proposed = proposals_.find(video.name);
  check(proposed != nullptr, printable(video.name), ": has no segments in ", options_.proposals);
  for (const Event& event : proposed->events) loaded.proposals.push_back(event.segment);
  return loaded;
}

double CaptionRun::duration_of(const std::string& video, int64_t rows) const {
  if (options_.duration > 0) return options_.duration;
  for (const VideosByName* source : {&annotations_, &proposals_})
    if (const VideoEvents* known = source->find(video); known && known->duration > 0.0)
      return *known->duration;
  const auto& backbone = engine_.description().backbone;
  const auto per_row = backbone ? backbone->seconds_per_row() : std::nullopt;
  check(per_row.has_value(), printable(video),
        ": its duration is not known (give --duration or --annotations)");
  return *per_row * static_cast<double>(rows);
}

void CaptionRun::say_note(const std::vector<std::optional<Loaded>>& loaded) {
  const std::string& note = engine_.description().note;
  const bool strange =
      std::ranges::any_of(loaded, [](const auto& video) { return video && !video->familiar; });
  if (note.empty() || noted_ || !strange) return;
  session_.log.info("note: " + printable(note, 500));
  noted_ = true;
}

Array CaptionRun::features_of(const Loaded& loaded, const Segment& window) const {
  const int64_t target = settings_.resample ? settings_.frames : 0;
  if (loaded.windows.size() == 1) return joined_streams(loaded.streams, target, "");
  std::vector<Array> cut;
  for (const Array& stream : loaded.streams) {
    const WindowRows rows = rows_of(window, loaded.duration, stream.shape()[0]);
    const int64_t width = stream.shape()[1];
    Array part(DType::f32, {rows.count, width});
    std::ranges::copy(stream.floats().subspan(static_cast<size_t>(rows.first * width),
                                              static_cast<size_t>(rows.count * width)),
                      part.floats().begin());
    cut.push_back(std::move(part));
  }
  return joined_streams(cut, target, "");
}

void CaptionRun::predict(std::vector<std::optional<Loaded>>& loaded,
                         std::span<const Piece> pieces) {
  const auto batch = static_cast<size_t>(options_.batch);
  for (size_t first = 0; first < pieces.size(); first += batch) {
    check_interrupt();
    const auto now = pieces.subspan(first, std::min(batch, pieces.size() - first));
    std::vector<Array> features;
    std::vector<VideoInput> inputs;
    for (const Piece& piece : now) {
      const Loaded& video = *loaded[piece.video];
      features.push_back(features_of(video, video.windows[piece.window]));
      inputs.push_back({.features = features.back().floats(),
                        .duration = video.windows[piece.window].length(),
                        .proposals = video.proposals});
    }
    const auto predictions = engine_.predict(inputs, by_proposals(), search_, workspace_);
    for (size_t i = 0; i < now.size(); ++i)
      loaded[now[i].video]->events[now[i].window] = select(predictions[i], inputs[i].duration);
  }
}

VideoEvents CaptionRun::select(const VideoPredictions& predictions, double duration) const {
  VideoEvents events = select_events("", duration, predictions, settings_, selection_);
  if (by_proposals())  // in the order they were given
    std::ranges::sort(events.events, {}, [](const Event& event) { return *event.query; });
  return events;
}

VideoEvents CaptionRun::events_of(const std::string& name, Loaded& loaded) const {
  VideoEvents result{.video = name, .duration = loaded.duration};
  if (loaded.windows.size() == 1) {
    result.events = std::move(loaded.events.front().events);
    result.predicted_count = loaded.events.front().predicted_count;
    return result;
  }
  std::vector<std::vector<Event>> by_window;
  for (size_t w = 0; w < loaded.windows.size(); ++w) {
    by_window.push_back(std::move(loaded.events[w].events));
    for (Event& event : by_window.back()) {
      event.segment.start += loaded.windows[w].start;
      event.segment.end += loaded.windows[w].start;
    }
  }
  result.events = merge_windows(loaded.windows, by_window, loaded.duration);
  result.predicted_count = static_cast<int64_t>(result.events.size());
  return result;
}

}  // namespace pdvc
