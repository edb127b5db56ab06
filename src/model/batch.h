// What the model is given: the features of several videos, padded to the longest.
#pragma once

#include <torch/torch.h>

#include "model/levels.h"

namespace pdvc {

using torch::Tensor;

struct VideoBatch {
  Tensor features;   // [video, frame, channel], zero where padded
  Tensor mask;       // [video, frame], true where a frame is real
  Tensor durations;  // [video], seconds
};

// Segments to caption instead of the model's own: the queries of the proposal modes.
struct Proposals {
  Tensor boxes;  // [video, proposal, 2], centre and length in shares of the video
  Tensor mask;   // [video, proposal], true where there is one
};

// What attention over time reads: positions of all levels end to end.
struct Memory {
  Levels levels;
  Tensor features;      // [video, position, hidden]
  Tensor positions;     // [video, position, hidden], position embedding with the level's own
  Tensor mask;          // [video, position], true where real
  Tensor valid_ratios;  // [video, level], share of real positions
  Tensor last;          // [video, level], last position that the caption sampler may read
};

}  // namespace pdvc
