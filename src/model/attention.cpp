#include "model/attention.h"

#include <cmath>

#include "model/deformable_sampling.h"

namespace pdvc {

AttentionWeights::AttentionWeights(torch::nn::Module& owner, int64_t width, int64_t heads)
    : width_(width),
      heads_(heads),
      in_weight_(owner.register_parameter("in_proj_weight", torch::empty({3 * width, width}))),
      in_bias_(owner.register_parameter("in_proj_bias", torch::zeros({3 * width}))),
      out_(owner.register_module("out_proj", Linear(width, width))) {
  torch::nn::init::xavier_uniform_(in_weight_);
  torch::nn::init::xavier_uniform_(out_->weight);
  torch::nn::init::zeros_(out_->bias);
}

// Queries (part 0), keys (1) or values (2), by head: [batch, head, position, width of a head].
Tensor AttentionWeights::project(const Tensor& x, int64_t part) const {
  const Tensor projected = affine(x, in_weight_.narrow(0, part * width_, width_),
                                  in_bias_.narrow(0, part * width_, width_));
  return projected.view({x.size(0), x.size(1), heads_, -1}).transpose(1, 2);
}

Tensor AttentionWeights::attend(const Tensor& query, const Tensor& key, const Tensor& value,
                                const Tensor& allowed) {
  const Tensor q = project(query, 0), k = project(key, 1), v = project(value, 2);
  Tensor scores = q.matmul(k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3)));
  if (allowed.defined()) {
    const Tensor shaped =
        allowed.dim() == 2 ? allowed.unsqueeze(1).unsqueeze(1) : allowed.unsqueeze(0);
    scores = scores.masked_fill(shaped.logical_not(), -INFINITY);
  }
  return out_(scores.softmax(3).matmul(v).transpose(1, 2).flatten(2));
}

OrdinaryAttentionImpl::OrdinaryAttentionImpl(int64_t hidden, int64_t heads)
    : weights_(*this, hidden, heads) {}

Tensor OrdinaryAttentionImpl::forward(const Tensor& query, const Tensor&, const Memory& memory) {
  return weights_.attend(query, memory.features + memory.positions, memory.features, memory.mask);
}

DeformableAttentionImpl::DeformableAttentionImpl(Options o)
    : options_(o),
      offsets_(
          register_module("sampling_offsets", Linear(o.hidden, o.heads * o.levels * o.points))),
      weights_(
          register_module("attention_weights", Linear(o.hidden, o.heads * o.levels * o.points))),
      values_(register_module("value_proj", Linear(o.hidden, o.hidden))),
      output_(register_module("output_proj", Linear(o.hidden, o.hidden))) {
  torch::NoGradGuard no_grad;
  torch::nn::init::zeros_(offsets_->weight);
  offsets_->bias.copy_(initial_offsets(o.heads, o.levels, o.points).flatten());
  torch::nn::init::zeros_(weights_->weight);
  torch::nn::init::zeros_(weights_->bias);
  for (auto& layer : {values_, output_}) {
    torch::nn::init::xavier_uniform_(layer->weight);
    torch::nn::init::zeros_(layer->bias);
  }
}

Tensor DeformableAttentionImpl::forward(const Tensor& query, const Tensor& references,
                                        const Memory& memory) {
  const auto& o = options_;
  const int64_t videos = query.size(0), queries = query.size(1);
  const Tensor values =
      values_(memory.features).masked_fill(memory.mask.logical_not().unsqueeze(2), 0);
  const Tensor weights =
      weights_(query).view({videos, queries, o.heads, o.levels * o.points}).softmax(3);
  return output_(deformable_attend(values.view({videos, -1, o.heads, o.hidden / o.heads}),
                                   memory.levels,
                                   places(query, references.unsqueeze(2), memory.levels),
                                   weights.view({videos, queries, o.heads, o.levels, o.points})));
}

Tensor DeformableAttentionImpl::places(const Tensor& query, const Tensor& references,
                                       const Levels& levels) {
  const auto& o = options_;
  if (o.sampling == Sampling::even)
    return even_places(references, o.points, levels).expand({-1, -1, o.heads, -1, -1});
  return sampling_places(
      references, offsets_(query).view({query.size(0), query.size(1), o.heads, o.levels, o.points}),
      levels);
}

Tensor even_places(const Tensor& references, int64_t points, const Levels& levels) {
  const Tensor lengths = torch::tensor(levels.lengths, references.options()).unsqueeze(-1);
  const Tensor share = points == 1 ? torch::zeros({1}, references.options())
                                   : torch::linspace(-0.5, 0.5, points, references.options());
  return (references.narrow(-1, 0, 1) + references.narrow(-1, 1, 1) * share) * lengths - 0.5;
}

// Offsets in positions are added as they are, not divided and multiplied by the level's length:
// rounding would now and then put a sample on the other side of a position, where the gradient
// jumps.
Tensor sampling_places(const Tensor& references, const Tensor& offsets, const Levels& levels) {
  const Tensor lengths = torch::tensor(levels.lengths, offsets.options()).unsqueeze(-1);
  const Tensor centre = references.narrow(-1, 0, 1) * lengths - 0.5;
  if (references.size(-1) == 1) return centre + offsets;
  const double points = static_cast<double>(offsets.size(-1));
  return centre + offsets / points * references.narrow(-1, 1, 1) * lengths * 0.5;
}

Tensor initial_offsets(int64_t heads, int64_t levels, int64_t points) {
  Tensor offsets = torch::empty({heads, levels, points});
  for (int64_t h = 0; h < heads; ++h) {
    const double angle = 2 * M_PI * static_cast<double>(h) / static_cast<double>(heads);
    const double direction =
        std::cos(angle) / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
    for (int64_t k = 0; k < points; ++k)
      offsets.select(0, h).select(1, k).fill_(direction * static_cast<double>(k + 1));
  }
  return offsets;
}

}  // namespace pdvc
