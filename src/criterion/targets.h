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

// What the losses are divided by: numbers of the whole batch, averaged over workers when there are
// several. The criterion takes less than one event or caption for one; videos are taken as they
// are, so that a step in which only some workers have one is still a mean over videos.
struct Normalizers {
  double events = 0;
  double captions = 0;
  double videos = 0;
};
Normalizers normalizers_of(const Targets& targets);

}  // namespace pdvc
