#include "model/heads.h"

#include <cmath>

namespace pdvc {

Tensor inverse_sigmoid(const Tensor& x) {
  const Tensor inside = x.clamp(0, 1);
  return (inside.clamp_min(1e-5) / (1 - inside).clamp_min(1e-5)).log();
}

Tensor box_from(const Tensor& delta, const Tensor& reference) {
  const Tensor at = inverse_sigmoid(reference);
  if (reference.size(-1) == 2) return (delta + at).sigmoid();
  return torch::cat({delta.narrow(-1, 0, 1) + at, delta.narrow(-1, 1, 1)}, -1).sigmoid();
}

BoxHeadImpl::BoxHeadImpl(int64_t hidden, double length_bias)
    : layers_(register_module("layers", torch::nn::ModuleList())) {
  for (const int64_t out : {hidden, hidden, int64_t{2}}) layers_->push_back(Linear(hidden, out));
  torch::NoGradGuard no_grad;
  auto& last = *layers_->ptr<LinearImpl>(2);
  torch::nn::init::zeros_(last.weight);
  last.bias.copy_(torch::tensor({0.0, length_bias}));
}

Tensor BoxHeadImpl::forward(const Tensor& hidden) {
  Tensor x = hidden;
  for (size_t i = 0; i < 3; ++i) {
    x = layers_->ptr<LinearImpl>(i)->forward(x);
    if (i < 2) x = x.relu();
  }
  return x;
}

Heads::Heads(torch::nn::Module& owner, const ModelSettings& s)
    : one_set_a_layer_(s.refine_boxes),
      refines_(s.refine_boxes && s.query_source == QuerySource::queries),
      boxes_are_references_(s.query_source == QuerySource::gt_proposals ||
                            s.supervision == Supervision::captions),
      class_heads_(owner.register_module("class_head", torch::nn::ModuleList())),
      count_heads_(owner.register_module("count_head", torch::nn::ModuleList())),
      box_heads_(owner.register_module("bbox_head", torch::nn::ModuleList())) {
  for (int64_t i = 0; i < (one_set_a_layer_ ? s.decoder_layers : 1); ++i) {
    Linear label(s.hidden, 1);
    torch::nn::init::constant_(label->bias, -std::log(99.0));  // few queries are events
    class_heads_->push_back(label);
    count_heads_->push_back(Linear(s.hidden, s.max_events + 1));
    box_heads_->push_back(BoxHead(s.hidden, i == 0 ? -2.0 : 0.0));
  }
}

Tensor Heads::logits(const Tensor& hidden, size_t layer) {
  return class_heads_->ptr<LinearImpl>(index(layer))->forward(hidden).squeeze(-1);
}

Tensor Heads::box_delta(const Tensor& hidden, size_t layer) {
  return box_heads_->ptr<BoxHeadImpl>(index(layer))->forward(hidden);
}

Tensor Heads::counts(const Tensor& hidden, const Tensor& mask, size_t layer) {
  const Tensor real =
      mask.defined() ? hidden.masked_fill(mask.logical_not().unsqueeze(2), -INFINITY) : hidden;
  return count_heads_->ptr<LinearImpl>(index(layer))->forward(real.amax(1));
}

}  // namespace pdvc
