// Which query answers for which event: the cheapest one-to-one assignment of a layer's predictions.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "criterion/assignment.h"
#include "criterion/targets.h"
#include "data/settings.h"
#include "model/transformer.h"

namespace pdvc {

// (centre, length) to (start, end); not clipped.
Tensor box_ends(const Tensor& boxes);
// Of every pair of two sets of boxes [a, 2], [b, 2] -> [a, b]; of each pair of one list with
// another -> [a].
Tensor pairwise_giou(const Tensor& a, const Tensor& b);
Tensor elementwise_giou(const Tensor& a, const Tensor& b);

// Rows are queries, columns events; one assignment per video. No gradient flows through it.
// `caption_costs` has one matrix [query, event] per video, or is empty when captions do not count.
std::vector<Assignment> match(const LayerPredictions& layer, const Tensor& query_mask,
                              const Targets& targets, const MatchingSettings& settings,
                              const std::vector<Tensor>& caption_costs);

}  // namespace pdvc
