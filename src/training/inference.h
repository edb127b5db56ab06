// What the model under training says of videos, as events: the readable twin of the runtime.
#pragma once

#include <vector>

#include "event/event.h"
#include "model/pdvc.h"
#include "text/vocabulary.h"
#include "training/examples.h"

namespace pdvc {

enum class Captioning { yes, no };

// One video of a batch: its name, and its segments in seconds where they are given.
struct VideoRequest {
  std::string video;
  double duration = 0;
};

// The selected events of each video: as many as the counter says, ranked, by time; with given
// proposals all of them, in their order. `vocabulary` is null for a model without words.
std::vector<VideoEvents> predict_events(Pdvc& model, const ExampleBatch& batch,
                                        const std::vector<VideoRequest>& videos,
                                        const Vocabulary* vocabulary, Captioning captioning);

}  // namespace pdvc
