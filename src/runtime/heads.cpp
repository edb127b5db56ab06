#include "runtime/heads.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pdvc {

float inverse_sigmoid(float x) {
  const float inside = std::clamp(x, 0.0f, 1.0f);
  return std::log(std::max(inside, 1e-5f) / std::max(1 - inside, 1e-5f));
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

Heads::Heads(const LayerReader& reader)
    : refines_(reader.settings().refine_boxes),
      last_layer_(static_cast<size_t>(reader.settings().decoder_layers) - 1) {
  const int64_t heads = refines_ ? reader.settings().decoder_layers : 1;
  for (int64_t i = 0; i < heads; ++i) boxes_.push_back(read_box_head(reader, i));
  const std::string last = std::to_string(heads - 1);
  label_weight_ = reader.copied("class_head." + last + ".weight");
  label_bias_ = reader.copied("class_head." + last + ".bias");
  count_weight_ = reader.copied("count_head." + last + ".weight");
  count_bias_ = reader.copied("count_head." + last + ".bias");
}

std::vector<Reference> Heads::boxes(const float* hidden, std::span<const Reference> references,
                                    size_t layer, Workspace& workspace) const {
  const BoxHead& head = boxes_[refines_ ? layer : 0];
  const Arena::Scope scope(workspace.arena);
  const auto rows = static_cast<int64_t>(references.size());
  float* first = workspace.arena.rows(rows, head.first.outputs());
  float* second = workspace.arena.rows(rows, head.second.outputs());
  float* deltas = workspace.arena.rows(rows, 2);
  workspace.run(head.first, hidden, first, rows);
  workspace.run(head.second, first, second, rows);
  workspace.run(head.last, second, deltas, rows);
  std::vector<Reference> boxes(references.begin(), references.end());
  for (size_t i = 0; i < boxes.size(); ++i) {
    Reference& box = boxes[i];
    box.centre = sigmoid(deltas[2 * i] + inverse_sigmoid(box.centre));
    box.length = sigmoid(deltas[2 * i + 1] + (box.is_point ? 0 : inverse_sigmoid(box.length)));
    box.is_point = false;
  }
  return boxes;
}

std::vector<float> Heads::labels(const float* hidden, int64_t rows) const {
  std::vector<float> logits;
  const size_t width = label_weight_.size();
  for (size_t r = 0; r < static_cast<size_t>(rows); ++r)
    logits.push_back(vector::dot({hidden + r * width, width}, label_weight_) + label_bias_[0]);
  return logits;
}

std::vector<float> Heads::counts(const float* hidden, int64_t rows) const {
  const size_t width = label_weight_.size();
  std::vector<float> most(width, -std::numeric_limits<float>::infinity());
  for (size_t r = 0; r < static_cast<size_t>(rows); ++r)
    for (size_t c = 0; c < width; ++c) most[c] = std::max(most[c], hidden[r * width + c]);
  std::vector<float> scores(count_bias_);
  for (size_t i = 0; i < scores.size() && rows > 0; ++i)
    scores[i] += vector::dot(std::span(count_weight_).subspan(i * width, width), most);
  return scores;
}

}  // namespace pdvc
