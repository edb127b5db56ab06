// What is read off a decoder layer's queries: is it an event, when, and how many are there.
#pragma once

#include <torch/torch.h>

#include "data/settings.h"
#include "model/product.h"

namespace pdvc {

using torch::Tensor;

// log(x / (1 - x)) of x clamped to [0, 1], both sides at least 1e-5.
Tensor inverse_sigmoid(const Tensor& x);

// A box from what the head says and where the layer looked: a reference of one number shifts the
// centre only.
Tensor box_from(const Tensor& delta, const Tensor& reference);

// Three layers with ReLU between: hidden to (centre, length) in logits, relative to the reference.
class BoxHeadImpl : public torch::nn::Module {
 public:
  // Starts at the reference itself; `length_bias` is the logit of the length it starts with.
  BoxHeadImpl(int64_t hidden, double length_bias);
  Tensor forward(const Tensor& hidden);

 private:
  torch::nn::ModuleList layers_{nullptr};
};
TORCH_MODULE(BoxHead);

// One set of heads per decoder layer; without box refinement one set serves all layers.
class Heads {
 public:
  Heads(torch::nn::Module& owner, const ModelSettings& settings);

  Tensor logits(const Tensor& hidden, size_t layer);     // [video, query, hidden] -> [video, query]
  Tensor box_delta(const Tensor& hidden, size_t layer);  // -> [video, query, 2]
  Tensor counts(const Tensor& hidden, const Tensor& mask,
                size_t layer);  // -> [video, 1 + max_events]
  // Whether a layer looks where the boxes of the one before are; given segments stay as they are.
  bool refines() const { return refines_; }
  // Of given segments, and with captions alone: where a layer looks is then what it found.
  bool boxes_are_references() const { return boxes_are_references_; }

 private:
  size_t index(size_t layer) const { return one_set_a_layer_ ? layer : 0; }

  bool one_set_a_layer_, refines_, boxes_are_references_;
  torch::nn::ModuleList class_heads_{nullptr}, count_heads_{nullptr}, box_heads_{nullptr};
};

}  // namespace pdvc
