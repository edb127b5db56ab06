// The heads: is it an event, when is it, and how many are there.
#pragma once

#include "runtime/transformer.h"

namespace pdvc {

// log(x / (1 - x)), with x held inside [0, 1] and both sides at least 1e-5.
float inverse_sigmoid(float x);
float sigmoid(float x);

class Heads : public BoxRule {
 public:
  explicit Heads(const LayerReader& reader);

  std::vector<Reference> boxes(const float* hidden, std::span<const Reference> references,
                               size_t layer, Workspace& workspace) const override;
  // Logit of each query's being an event, by the last layer.
  std::vector<float> labels(const float* hidden, int64_t rows) const;
  // Scores of 0, 1, 2 ... events in one video, whose queries these are, by the last layer.
  std::vector<float> counts(const float* hidden, int64_t rows) const;

  bool refines() const { return refines_; }
  size_t last_layer() const { return last_layer_; }

 private:
  bool refines_;
  size_t last_layer_;
  std::vector<BoxHead> boxes_;  // of each layer, or one for all
  std::vector<float> label_weight_, label_bias_;
  std::vector<float> count_weight_, count_bias_;
};

}  // namespace pdvc
