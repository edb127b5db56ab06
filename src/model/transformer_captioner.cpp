#include "model/transformer_captioner.h"

#include "model/position_embedding.h"

namespace pdvc {

CaptionLayerImpl::CaptionLayerImpl(const ModelSettings& s)
    : self_attention_(register_module("self_attn", MultiHeadAttention(s.hidden, s.heads))),
      cross_attention_(register_module("cross_attn", MultiHeadAttention(s.hidden, s.heads))),
      feed_forward_(*this, s),
      norm1_(register_module("norm1", layer_norm(s.hidden))),
      norm2_(register_module("norm2", layer_norm(s.hidden))),
      norm3_(register_module("norm3", layer_norm(s.hidden))),
      dropout_(register_module("dropout", Dropout(s.transformer_dropout))) {}

Tensor CaptionLayerImpl::forward(const Tensor& words, const Tensor& causal, const Tensor& memory,
                                 const Tensor& mask) {
  const Tensor own = norm1_(words);
  Tensor x = words + dropout_(self_attention_(own, own, own, causal));
  x = x + dropout_(cross_attention_(norm2_(x), memory, memory, mask));
  return x + feed_forward_.forward(norm3_(x));
}

TransformerCaptionerImpl::TransformerCaptionerImpl(const ModelSettings& s)
    : CaptionerImpl(s, s.hidden, s.hidden),
      hidden_(s.hidden),
      layers_(register_module("layers", torch::nn::ModuleList())),
      norm_(register_module("norm", layer_norm(s.hidden))) {
  for (int64_t i = 0; i < s.caption_layers; ++i) layers_->push_back(CaptionLayer(s));
}

CaptionMemory TransformerCaptionerImpl::read(const Memory& memory) {
  return {memory.levels, memory.features, Tensor(), memory.mask, memory.valid_ratios, memory.last};
}

Tensor TransformerCaptionerImpl::states(const CaptionMemory& memory, const CaptionQueries& queries,
                                        const Tensor& words) {
  const int64_t steps = words.size(1);
  const Tensor places = sine_embedding(torch::arange(steps, queries.features.options()), hidden_);
  Tensor x = embed(words) + queries.features.unsqueeze(1) + places.unsqueeze(0);
  const Tensor causal = torch::ones({1, steps, steps}, x.options().dtype(torch::kBool)).tril();
  const Tensor values = memory.values.index_select(0, queries.video),
               mask = memory.mask.index_select(0, queries.video);
  for (size_t i = 0; i < layers_->size(); ++i)
    x = layers_->ptr<CaptionLayerImpl>(i)->forward(x, causal, values, mask);
  return norm_(x);
}

// Runs over all words again for each new one: sentences are short, and this is the readable half.
class TransformerCaptionerImpl::WordsSoFar : public CaptionerImpl::Decoding {
 public:
  WordsSoFar(TransformerCaptionerImpl& captioner, const CaptionMemory& memory,
             const CaptionQueries& queries)
      : captioner_(captioner), memory_(memory), queries_(queries) {}

  Tensor advance(const Tensor& words) override {
    words_.push_back(words);
    return captioner_.states(memory_, queries_, torch::stack(words_, 1)).select(1, -1);
  }

 private:
  TransformerCaptionerImpl& captioner_;
  const CaptionMemory& memory_;
  const CaptionQueries& queries_;
  std::vector<Tensor> words_;
};

std::unique_ptr<CaptionerImpl::Decoding> TransformerCaptionerImpl::start(
    const CaptionMemory& memory, const CaptionQueries& queries) {
  return std::make_unique<WordsSoFar>(*this, memory, queries);
}

}  // namespace pdvc
