// A loaded model: features in, events with sentences out.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "event/event.h"
#include "runtime/memory.h"
#include "runtime/model_source.h"
#include "runtime/search.h"
#include "runtime/workspace.h"

namespace pdvc {

struct EngineOptions {
  DensePrecision precision = DensePrecision::f32;
  int threads = 1;  // that one request may use: the matrices are cut for so many
};

// What the model says of one video.
struct VideoPredictions {
  std::vector<Event> queries;       // each query's event with its scores, in the order of queries
  std::vector<float> count_scores;  // of 0, 1, 2 ... events
};

// Unchanged after loading: any number of threads may caption with it at once, each with a workspace
// of its own.
class Engine {
 public:
  Engine(const ModelSource& source, const EngineOptions& options);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  const ModelDescription& description() const;

  // All videos in one go; each gets what it gets alone. With `proposals` the videos' own segments
  // are the queries.
  std::vector<VideoPredictions> predict(std::span<const VideoInput> videos, bool proposals,
                                        const SearchOptions& search, Workspace& workspace) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace pdvc
