// What a batch should be: the events of each video.
#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

namespace pdvc {

using torch::Tensor;

struct VideoTargets {
  std::string video;  // its name, for messages
  Tensor boxes;       // [event, 2], centre and length in shares of the video
  std::vector<std::vector<int64_t>> captions;  // of each event: 0, ids, 0
};

using Targets = std::vector<VideoTargets>;

// What the losses are divided by: sums over the batch, averaged over workers when there are
// several, never below one.
struct Normalizers {
  double events = 1;
  double captions = 1;
};
Normalizers normalizers_of(const Targets& targets);

}  // namespace pdvc
