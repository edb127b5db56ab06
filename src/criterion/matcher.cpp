#include "criterion/matcher.h"

#include "base/error.h"

namespace pdvc {
namespace {

constexpr double kEpsilon = 1e-5;

// How much likelier a miss than a hit, under focal weighting, from the logit of each query.
Tensor label_cost(const Tensor& logits, const MatchingSettings& s) {
  const Tensor p = logits.sigmoid();
  const Tensor hit = s.alpha * (1 - p).pow(s.gamma) * -(p + 1e-8).log();
  const Tensor miss = (1 - s.alpha) * p.pow(s.gamma) * -(1 - p + 1e-8).log();
  return hit - miss;
}

Tensor giou_of(const Tensor& a, const Tensor& b) {
  const Tensor start_a = a.select(-1, 0), end_a = a.select(-1, 1), start_b = b.select(-1, 0),
               end_b = b.select(-1, 1);
  const Tensor both =
      (torch::minimum(end_a, end_b) - torch::maximum(start_a, start_b)).clamp_min(0);
  const Tensor either = (end_a - start_a) + (end_b - start_b) - both;
  const Tensor hull = torch::maximum(end_a, end_b) - torch::minimum(start_a, start_b);
  return both / (either + kEpsilon) - (hull - either) / (hull + kEpsilon);
}

}  // namespace

Tensor box_ends(const Tensor& boxes) {
  const Tensor centre = boxes.select(-1, 0), half = boxes.select(-1, 1) / 2;
  return torch::stack({centre - half, centre + half}, -1);
}

Tensor pairwise_giou(const Tensor& a, const Tensor& b) {
  return giou_of(box_ends(a).unsqueeze(1), box_ends(b).unsqueeze(0));
}

Tensor elementwise_giou(const Tensor& a, const Tensor& b) {
  return giou_of(box_ends(a), box_ends(b));
}

std::vector<Assignment> match(const LayerPredictions& layer, const Tensor& query_mask,
                              const Targets& targets, const MatchingSettings& s,
                              const std::vector<Tensor>& caption_costs) {
  torch::NoGradGuard no_grad;
  std::vector<Assignment> result;
  for (size_t v = 0; v < targets.size(); ++v) {
    const auto n = static_cast<int64_t>(v);
    const int64_t real =
        query_mask.defined() ? query_mask[n].sum().item<int64_t>() : layer.logits.size(1);
    const Tensor boxes = layer.boxes[n].narrow(0, 0, real), wanted = targets[v].boxes;
    if (wanted.size(0) == 0 || real == 0) {
      result.emplace_back();
      continue;
    }
    const Tensor label = label_cost(layer.logits[n].narrow(0, 0, real), s).unsqueeze(1);
    const Tensor distance = torch::cdist(boxes, wanted, 1);
    Tensor cost =
        s.class_cost * label + s.box_cost * distance - s.giou_cost * pairwise_giou(boxes, wanted);
    if (!caption_costs.empty()) cost = cost + s.caption_cost * caption_costs[v].narrow(0, 0, real);
    const Tensor costs = cost.to(torch::kDouble).to(torch::kCPU).contiguous();
    check(costs.isfinite().all().item<bool>(), targets[v].video,
          ": the model's predictions are not finite");
    result.push_back(cheapest_assignment(
        {costs.data_ptr<double>(), static_cast<size_t>(costs.numel())}, real, wanted.size(0)));
  }
  return result;
}

}  // namespace pdvc
