#include "model/transformer.h"

#include <cmath>

#include "model/position_embedding.h"

namespace pdvc {
namespace {

using Sampling = DeformableAttentionImpl::Sampling;

std::shared_ptr<MemoryAttentionImpl> memory_attention(const ModelSettings& s, int64_t points,
                                                      Sampling sampling) {
  if (s.transformer == TransformerKind::ordinary)
    return std::make_shared<OrdinaryAttentionImpl>(s.hidden, s.heads);
  return std::make_shared<DeformableAttentionImpl>(
      DeformableAttentionImpl::Options{s.hidden, s.heads, s.levels, points, sampling});
}

// Captions alone cannot teach offsets where to look; the segment itself is moved instead.
Sampling decoder_sampling(const ModelSettings& s) {
  return s.supervision == Supervision::captions ? Sampling::even : Sampling::learnt;
}

// Boxes have a loss of their own, so the next layer takes them as given; with captions alone, what
// the next layer sees is all that teaches them.
Tensor next_reference(const LayerPredictions& layer, Heads& heads, size_t i) {
  if (!heads.boxes_are_references()) return layer.boxes.detach();
  return box_from(heads.box_delta(layer.hidden, i), layer.reference);
}

Linear xavier_linear(int64_t in, int64_t out) {
  Linear layer(in, out);
  torch::nn::init::xavier_uniform_(layer->weight);
  return layer;
}

// A query's reference on every level: levels whose end is padding hold the video in their first
// part only.
Tensor on_levels(const Tensor& reference, const Tensor& valid_ratios) {
  return reference.unsqueeze(2) * valid_ratios.unsqueeze(1).unsqueeze(3);
}

}  // namespace

torch::nn::LayerNorm layer_norm(int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

FeedForward::FeedForward(torch::nn::Module& owner, const ModelSettings& s)
    : first_(owner.register_module("linear1", xavier_linear(s.hidden, s.feed_forward))),
      second_(owner.register_module("linear2", xavier_linear(s.feed_forward, s.hidden))),
      dropout_(owner.register_module("dropout_ffn", Dropout(s.transformer_dropout))) {}

Tensor FeedForward::forward(const Tensor& x) {
  return dropout_(second_(dropout_(first_(x).relu())));
}

EncoderLayerImpl::EncoderLayerImpl(const ModelSettings& s)
    : attention_(
          register_module("self_attn", memory_attention(s, s.encoder_points, Sampling::learnt))),
      norm1_(register_module("norm1", layer_norm(s.hidden))),
      norm2_(register_module("norm2", layer_norm(s.hidden))),
      feed_forward_(*this, s),
      dropout_(register_module("dropout", Dropout(s.transformer_dropout))) {}

Tensor EncoderLayerImpl::forward(const Memory& memory, const Tensor& references) {
  const Tensor looked = attention_->forward(memory.features + memory.positions, references, memory);
  const Tensor x = norm1_(memory.features + dropout_(looked));
  return norm2_(x + feed_forward_.forward(x));
}

DecoderLayerImpl::DecoderLayerImpl(const ModelSettings& s)
    : cross_attention_(register_module("cross_attn",
                                       memory_attention(s, s.decoder_points, decoder_sampling(s)))),
      norm1_(register_module("norm1", layer_norm(s.hidden))),
      self_attention_(register_module("self_attn", MultiHeadAttention(s.hidden, s.heads))),
      norm2_(register_module("norm2", layer_norm(s.hidden))),
      norm3_(register_module("norm3", layer_norm(s.hidden))),
      feed_forward_(*this, s),
      dropout_(register_module("dropout", Dropout(s.transformer_dropout))) {}

Tensor DecoderLayerImpl::forward(const Queries& queries, const Tensor& target,
                                 const Tensor& references, const Memory& memory) {
  const Tensor placed = target + queries.position;
  Tensor x = norm2_(target + dropout_(self_attention_(placed, placed, target, queries.mask)));
  x = norm1_(x + dropout_(cross_attention_->forward(x + queries.position, references, memory)));
  return norm3_(x + feed_forward_.forward(x));
}

TransformerImpl::TransformerImpl(const ModelSettings& s)
    : hidden_(s.hidden),
      level_embedding_(register_parameter("level_embed", torch::randn({s.levels, s.hidden}))) {
  // encoder.layers.i and decoder.layers.i, as published.
  auto encoder = register_module("encoder", std::make_shared<torch::nn::Module>("encoder"));
  auto decoder = register_module("decoder", std::make_shared<torch::nn::Module>("decoder"));
  encoder_layers_ = encoder->register_module("layers", torch::nn::ModuleList());
  decoder_layers_ = decoder->register_module("layers", torch::nn::ModuleList());
  for (int64_t i = 0; i < s.encoder_layers; ++i) encoder_layers_->push_back(EncoderLayer(s));
  for (int64_t i = 0; i < s.decoder_layers; ++i) decoder_layers_->push_back(DecoderLayer(s));
  proposal_projection_ = register_module("pos_trans", xavier_linear(s.hidden, 2 * s.hidden));
  proposal_norm_ = register_module("pos_trans_norm", layer_norm(2 * s.hidden));
  reference_points_ = register_module(
      "reference_points", xavier_linear(s.hidden, s.supervision == Supervision::captions ? 2 : 1));
  torch::nn::init::zeros_(reference_points_->bias);
}

void TransformerImpl::mark_levels(Memory& memory) {
  const Tensor lengths =
      torch::tensor(memory.levels.lengths, torch::kLong).to(level_embedding_.device());
  memory.positions = memory.positions + level_embedding_.repeat_interleave(lengths, 0).unsqueeze(0);
}

Tensor TransformerImpl::memory_references(const Memory& memory) {
  std::vector<Tensor> references;
  for (int64_t l = 0; l < memory.levels.count(); ++l) {
    const int64_t length = memory.levels.lengths[static_cast<size_t>(l)];
    const Tensor index = torch::arange(length, memory.valid_ratios.options()) + 0.5;
    references.push_back(index.unsqueeze(0) /
                         (memory.valid_ratios.select(1, l).unsqueeze(1) * length));
  }
  return on_levels(torch::cat(references, 1).unsqueeze(2), memory.valid_ratios);
}

std::vector<Tensor> TransformerImpl::encode(Memory& memory) {
  const Tensor references = memory_references(memory);
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < encoder_layers_->size(); ++i) {
    memory.features = encoder_layers_->ptr<EncoderLayerImpl>(i)->forward(memory, references);
    outputs.push_back(memory.features);
  }
  return outputs;
}

Queries TransformerImpl::learnt_queries(const Tensor& embeddings, int64_t videos) {
  const auto halves = embeddings.unsqueeze(0).expand({videos, -1, -1}).split(hidden_, 2);
  return {halves[0], halves[1], reference_points_(halves[0]).sigmoid(), Tensor()};
}

Queries TransformerImpl::proposal_queries(const Proposals& proposals) {
  const Tensor inside = inverse_sigmoid(proposals.boxes).sigmoid() * (2 * M_PI);
  const Tensor sines = sine_embedding(inside, hidden_ / 2).flatten(2);  // centre, then length
  const auto halves = proposal_norm_(proposal_projection_(sines)).split(hidden_, 2);
  return {halves[0], halves[1], proposals.boxes, proposals.mask};
}

std::vector<LayerPredictions> TransformerImpl::decode(const Queries& queries, const Memory& memory,
                                                      Heads& heads) {
  std::vector<LayerPredictions> layers;
  Tensor target = queries.target, reference = queries.reference;
  for (size_t i = 0; i < decoder_layers_->size(); ++i) {
    target = decoder_layers_->ptr<DecoderLayerImpl>(i)->forward(
        queries, target, on_levels(reference, memory.valid_ratios), memory);
    LayerPredictions layer{.hidden = target, .reference = reference};
    layer.logits = heads.logits(target, i);
    layer.counts = heads.counts(target, queries.mask, i);
    layer.boxes =
        heads.boxes_are_references() ? reference : box_from(heads.box_delta(target, i), reference);
    if (heads.refines()) reference = next_reference(layer, heads, i);
    layers.push_back(std::move(layer));
  }
  return layers;
}

}  // namespace pdvc
