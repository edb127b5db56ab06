// From features of videos to their events, a batch at a time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "caption_options.h"
#include "command.h"
#include "data/feature_videos.h"
#include "runtime/engine.h"
#include "runtime/selection.h"
#include "videos_by_name.h"

namespace pdvc {

class CaptionRun {
 public:
  // The options, the engine and the session must last.
  CaptionRun(const CaptionOptions& options, const Engine& engine, VideosByName annotations,
             VideosByName proposals, Session& session);

  // The videos that could be read and captioned; the others are reported.
  std::vector<VideoEvents> caption(std::span<const FeatureVideo> videos);

 private:
  // Features of a video, and what is known of it.
  struct Loaded {
    std::vector<Array> streams;
    double duration = 0;
    bool familiar = false;  // made to be learnt from, so the model's note need not be said
    std::vector<Segment> windows, proposals;
    std::vector<VideoEvents> events;  // of each window
  };
  struct Piece {
    size_t video, window;
  };

  bool by_proposals() const;
  std::vector<std::optional<Loaded>> load_all(std::span<const FeatureVideo> videos);
  Loaded load(const FeatureVideo& video);
  double duration_of(const std::string& video, int64_t rows) const;
  // Says once what the model knows, unless it is only shown films that were made for it.
  void say_note(const std::vector<std::optional<Loaded>>& loaded);
  // One window's rows of every stream, as the model takes them.
  Array features_of(const Loaded& loaded, const Segment& window) const;
  void predict(std::vector<std::optional<Loaded>>& loaded, std::span<const Piece> pieces);
  VideoEvents select(const VideoPredictions& predictions, double duration) const;
  VideoEvents events_of(const std::string& name, Loaded& loaded) const;

  const CaptionOptions& options_;
  const Engine& engine_;
  const ModelSettings& settings_;
  VideosByName annotations_, proposals_;
  Session& session_;
  Workspace workspace_;
  SearchOptions search_;
  SelectionOptions selection_;
  bool noted_ = false;
};

}  // namespace pdvc
