// The transformer: an encoder over time, a decoder that turns N queries into N events at once.
#pragma once

#include <torch/torch.h>

#include <memory>

#include "data/settings.h"
#include "model/attention.h"
#include "model/batch.h"
#include "model/dropout.h"
#include "model/heads.h"

namespace pdvc {

torch::nn::LayerNorm layer_norm(int64_t width);

// Two layers with ReLU between; matrices start Xavier-uniform.
class FeedForward {
 public:
  FeedForward(torch::nn::Module& owner, const ModelSettings& settings);
  Tensor forward(const Tensor& x);

 private:
  Linear first_{nullptr}, second_{nullptr};
  Dropout dropout_{nullptr};
};

class EncoderLayerImpl : public torch::nn::Module {
 public:
  explicit EncoderLayerImpl(const ModelSettings& settings);
  // The memory's features after one round of self-attention: [video, position, hidden].
  Tensor forward(const Memory& memory, const Tensor& references);

 private:
  std::shared_ptr<MemoryAttentionImpl> attention_;
  torch::nn::LayerNorm norm1_{nullptr}, norm2_{nullptr};
  FeedForward feed_forward_;
  Dropout dropout_{nullptr};
};
TORCH_MODULE(EncoderLayer);

// The queries of one decoder run.
struct Queries {
  Tensor position;   // [video, query, hidden]
  Tensor target;     // [video, query, hidden]
  Tensor reference;  // [video, query, 1 (centre) or 2 (centre, length)], in shares of the video
  Tensor mask;       // [video, query], or undefined when all are real
};

class DecoderLayerImpl : public torch::nn::Module {
 public:
  explicit DecoderLayerImpl(const ModelSettings& settings);
  // references [video, query, level, 1 or 2] -> target after this layer
  Tensor forward(const Queries& queries, const Tensor& target, const Tensor& references,
                 const Memory& memory);

 private:
  std::shared_ptr<MemoryAttentionImpl> cross_attention_;
  torch::nn::LayerNorm norm1_{nullptr};
  MultiHeadAttention self_attention_{nullptr};
  torch::nn::LayerNorm norm2_{nullptr}, norm3_{nullptr};
  FeedForward feed_forward_;
  Dropout dropout_{nullptr};
};
TORCH_MODULE(DecoderLayer);

// What one decoder layer says of every query.
struct LayerPredictions {
  Tensor hidden;     // [video, query, hidden]
  Tensor reference;  // [video, query, 1 or 2], where this layer looked
  Tensor logits;     // [video, query], of being an event
  Tensor boxes;      // [video, query, 2], centre and length
  Tensor counts;     // [video, 1 + max_events], scores of each number of events
};

class TransformerImpl : public torch::nn::Module {
 public:
  explicit TransformerImpl(const ModelSettings& settings);

  // Adds each level's embedding to its positions.
  void mark_levels(Memory& memory);
  // Encodes the memory in place; returns its features after each layer.
  std::vector<Tensor> encode(Memory& memory);
  // Queries out of learnt embeddings [query, 2 * hidden], the same for every video.
  Queries learnt_queries(const Tensor& embeddings, int64_t videos);
  // Queries out of given segments, which stay their references.
  Queries proposal_queries(const Proposals& proposals);
  // Every layer's predictions. Boxes are refined from layer to layer when `heads` say so.
  std::vector<LayerPredictions> decode(const Queries& queries, const Memory& memory, Heads& heads);

  // References of the memory's own positions, the same share of every level: [video, position,
  // level, 1].
  static Tensor memory_references(const Memory& memory);

 private:
  int64_t hidden_;
  Tensor level_embedding_;
  torch::nn::ModuleList encoder_layers_{nullptr}, decoder_layers_{nullptr};
  Linear proposal_projection_{nullptr};
  torch::nn::LayerNorm proposal_norm_{nullptr};
  Linear reference_points_{nullptr};
};
TORCH_MODULE(Transformer);

}  // namespace pdvc
