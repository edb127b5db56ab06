// From annotated videos and their features to what a training step takes.
#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "criterion/targets.h"
#include "event/event.h"
#include "model/batch.h"
#include "text/vocabulary.h"

namespace pdvc {

// One video: what the model reads and what it should say.
struct Example {
  Tensor features;  // [frame, channel]
  double duration = 0;
  VideoTargets targets;
};

// Several videos, padded to the longest.
struct ExampleBatch {
  VideoBatch input;
  Targets targets;
  Proposals proposals;  // their own events, for the modes that are given them

  size_t videos() const { return targets.size(); }
};

// Events in shares of the video and captions as ids, of at most `longest` with their two ends.
VideoTargets targets_of(const VideoEvents& video, const Vocabulary& vocabulary, int64_t longest);
// The same for a model without words: every caption is empty.
VideoTargets targets_without_words(const VideoEvents& video);

ExampleBatch batch_of(std::span<const Example> examples);

}  // namespace pdvc
