// The step that training benchmarks measure: one video of 100 rows, 10 queries, 4 events of 13
// words.
#pragma once

#include <torch/torch.h>

#include "criterion/losses.h"
#include "training/adam.h"

namespace pdvc {

struct Load {
  CaptionerKind captioner = CaptionerKind::standard;
  int64_t frames = 100, queries = 10, events = 4, words = 13;
};

inline ModelSettings settings_of(const Load& load) {
  ModelSettings s;
  s.frames = load.frames;
  s.queries = load.queries;
  s.refine_boxes = true;
  s.captioner = load.captioner;
  s.caption_heads = 1;
  s.attention_width = 512;
  return s;
}

// A training run in small: the same step again and again.
class Step {
 public:
  explicit Step(const Load& load)
      : load_(load),
        model_(settings_of(load)),
        optimizer_(model_->parameters(), {}),
        criterion_({2, 0, 4, 0, 0.25, 2}, {}, published_count_shares()) {
    torch::manual_seed(1);
    batch_ = {torch::randn({1, load.frames, 500}), torch::ones({1, load.frames}, torch::kBool),
              torch::tensor({120.0f})};
    targets_.push_back({.video = "v", .boxes = torch::rand({load.events, 2}) * 0.5 + 0.1});
    for (int64_t e = 0; e < load.events; ++e) {
      std::vector<int64_t> caption = {0};
      for (int64_t w = 0; w < load.words; ++w) caption.push_back(1 + (e * 31 + w * 7) % 5747);
      caption.push_back(0);
      targets_[0].captions.push_back(caption);
    }
  }

  double run() {
    optimizer_.zero_gradients();
    const Losses losses =
        criterion_(*model_, model_->forward(batch_), targets_, normalizers_of(targets_));
    check_finite(losses, targets_);
    losses.total.backward();
    optimizer_.step(100);
    return losses.total.item<double>();
  }

 private:
  Load load_;
  Pdvc model_;
  Adam optimizer_;
  Criterion criterion_;
  VideoBatch batch_;
  Targets targets_;
};

}  // namespace pdvc
