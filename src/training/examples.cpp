#include "training/examples.h"

#include <algorithm>

#include "text/caption.h"

namespace pdvc {
namespace {

Tensor boxes_of(const VideoEvents& video) {
  Tensor boxes = torch::empty({static_cast<int64_t>(video.events.size()), 2});
  const auto duration = static_cast<float>(video.duration.value());  // as the original rounds it
  for (size_t i = 0; i < video.events.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    boxes[row][0] = video.events[i].segment.centre() / duration;
    boxes[row][1] = video.events[i].segment.length() / duration;
  }
  return boxes;
}

// Tensors of different first size stacked [video, most, ...], zero behind each, and where they are
// real [video, most].
struct Padded {
  Tensor values, mask;
};

Padded padded(const std::vector<Tensor>& parts) {
  int64_t most = 0;
  for (const Tensor& part : parts) most = std::max(most, part.size(0));
  const auto videos = static_cast<int64_t>(parts.size());
  Padded result{torch::zeros({videos, most, parts.at(0).size(1)}),
                torch::zeros({videos, most}, torch::kBool)};
  for (int64_t v = 0; v < videos; ++v) {
    const Tensor& part = parts[static_cast<size_t>(v)];
    result.values[v].narrow(0, 0, part.size(0)).copy_(part);
    result.mask[v].narrow(0, 0, part.size(0)).fill_(true);
  }
  return result;
}

}  // namespace

VideoTargets targets_of(const VideoEvents& video, const Vocabulary& vocabulary, int64_t longest) {
  VideoTargets result{.video = video.video, .boxes = boxes_of(video)};
  for (const Event& event : video.events)
    result.captions.push_back(caption_to_ids(event.sentence, vocabulary, longest));
  return result;
}

VideoTargets targets_without_words(const VideoEvents& video) {
  VideoTargets result{.video = video.video, .boxes = boxes_of(video)};
  result.captions.assign(video.events.size(), {0, 0});
  return result;
}

ExampleBatch batch_of(std::span<const Example> examples) {
  ExampleBatch batch;
  if (examples.empty()) return batch;
  std::vector<Tensor> features, boxes;
  std::vector<float> durations;
  for (const Example& example : examples) {
    features.push_back(example.features);
    boxes.push_back(example.targets.boxes);
    durations.push_back(static_cast<float>(example.duration));
    batch.targets.push_back(example.targets);
  }
  const Padded frames = padded(features), events = padded(boxes);
  batch.input = {frames.values, frames.mask, torch::tensor(durations)};
  batch.proposals = {events.values, events.mask};
  return batch;
}

}  // namespace pdvc
