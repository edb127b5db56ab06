#include "training/examples.h"

#include <algorithm>

#include "text/caption.h"

namespace pdvc {
namespace {

Tensor boxes_of(const VideoEvents& video) {
  Tensor boxes = torch::empty({static_cast<int64_t>(video.events.size()), 2});
  const auto duration = static_cast<float>(video.duration.value());  // as the original rounds it
  float* numbers = boxes.data_ptr<float>();
  for (const Event& event : video.events) {
    *numbers++ = static_cast<float>(event.segment.centre() / duration);
    *numbers++ = static_cast<float>(event.segment.length() / duration);
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
  const int64_t width = parts.at(0).size(1);
  Padded result{torch::empty({videos, most, width}), torch::empty({videos, most}, torch::kBool)};
  // By hand: Torch would start threads of its own for each of the loader's, which then fight with
  // those of the step under way.
  for (int64_t v = 0; v < videos; ++v) {
    const Tensor& part = parts[static_cast<size_t>(v)];
    float* values = result.values.data_ptr<float>() + v * most * width;
    std::fill(std::copy_n(part.data_ptr<float>(), part.numel(), values), values + most * width,
              0.0f);
    bool* mask = result.mask.data_ptr<bool>() + v * most;
    std::fill(std::fill_n(mask, part.size(0), true), mask + most, false);
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
