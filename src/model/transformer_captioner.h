// A small transformer as captioner: attends to its own words and to all positions of the memory.
#pragma once

#include "model/attention.h"
#include "model/captioner.h"
#include "model/transformer.h"

namespace pdvc {

// Pre-norm: self-attention over the words so far, attention to the memory, feed-forward.
class CaptionLayerImpl : public torch::nn::Module {
 public:
  explicit CaptionLayerImpl(const ModelSettings& settings);
  // words [caption, word, hidden], causal [1, word, word], memory [caption, position, hidden], mask
  // [caption, position]
  Tensor forward(const Tensor& words, const Tensor& causal, const Tensor& memory,
                 const Tensor& mask);

 private:
  MultiHeadAttention self_attention_{nullptr}, cross_attention_{nullptr};
  FeedForward feed_forward_;
  torch::nn::LayerNorm norm1_{nullptr}, norm2_{nullptr}, norm3_{nullptr};
  Dropout dropout_{nullptr};
};
TORCH_MODULE(CaptionLayer);

class TransformerCaptionerImpl : public CaptionerImpl {
 public:
  explicit TransformerCaptionerImpl(const ModelSettings& settings);
  CaptionMemory read(const Memory& memory) override;

 protected:
  Tensor states(const CaptionMemory& memory, const CaptionQueries& queries,
                const Tensor& words) override;
  std::unique_ptr<Decoding> start(const CaptionMemory& memory,
                                  const CaptionQueries& queries) override;

 private:
  class WordsSoFar;

  int64_t hidden_;
  torch::nn::ModuleList layers_{nullptr};
  torch::nn::LayerNorm norm_{nullptr};
};

}  // namespace pdvc
