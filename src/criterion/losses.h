// What training minimises: labels, boxes, counts and captions of every decoder layer.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "criterion/matcher.h"
#include "criterion/targets.h"
#include "data/settings.h"
#include "model/pdvc.h"

namespace pdvc {

// Of one decoder layer, unweighted. `caption` is undefined where the model has no captioner.
struct LayerLosses {
  Tensor label, box, giou, count, caption;
};

struct Losses {
  std::vector<LayerLosses> layers;
  Tensor total;                     // weighted, over all layers
  std::vector<Assignment> matched;  // of the last layer
};

// ActivityNet's share of training videos with 0, 1, 2 ... events, which the published training
// carried for every data set.
const std::vector<double>& published_count_shares();
// The same of a training set with these numbers of events.
std::vector<double> count_shares(const std::vector<int64_t>& event_counts, int64_t max_events);

struct MatchedPairs;  // queries and the events they answer for, of a whole batch

class Criterion {
 public:
  // `shares` has an entry for each number of events from 0 on; missing ones count as 0.
  Criterion(const MatchingSettings& matching, const LossSettings& losses,
            std::vector<double> shares);

  Losses operator()(PdvcImpl& model, const ModelOutputs& predictions, const Targets& targets,
                    const Normalizers& normalizers) const;

 private:
  LayerLosses layer_losses(const LayerPredictions& layer, const Tensor& query_mask,
                           const Targets& targets, const MatchedPairs& pairs,
                           const Normalizers& normalizers) const;
  Tensor label_loss(const Tensor& logits, const Tensor& query_mask,
                    const MatchedPairs& pairs) const;
  Tensor count_loss(const Tensor& counts, const Targets& targets, double videos) const;
  Tensor weighted(const LayerLosses& losses) const;

  MatchingSettings matching_;
  LossSettings settings_;
  std::vector<double> shares_;
};

// Throws, naming the first loss that is not finite and the videos of the batch.
void check_finite(const Losses& losses, const Targets& targets);

}  // namespace pdvc
