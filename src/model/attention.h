// Attention: ordinary, and deformable over the positions of all levels.
#pragma once

#include <torch/torch.h>

#include "model/batch.h"
#include "model/product.h"

namespace pdvc {

// The parameters of softmax attention, registered into whichever module uses them: the weights that
// make queries, keys and values in one matrix, and the output layer.
class AttentionWeights {
 public:
  AttentionWeights(torch::nn::Module& owner, int64_t width, int64_t heads);

  // query [batch, to, width], key and value [batch, from, width]; allowed [batch, from], or [1, to,
  // from] for all of the batch, or undefined for no limit -> [batch, to, width]
  Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& allowed);

 private:
  Tensor project(const Tensor& x, int64_t part) const;

  int64_t width_, heads_;
  Tensor in_weight_, in_bias_;
  Linear out_{nullptr};
};

// Softmax attention among queries, or words.
class MultiHeadAttentionImpl : public torch::nn::Module {
 public:
  MultiHeadAttentionImpl(int64_t width, int64_t heads) : weights_(*this, width, heads) {}

  Tensor forward(const Tensor& query, const Tensor& key, const Tensor& value,
                 const Tensor& allowed) {
    return weights_.attend(query, key, value, allowed);
  }

 private:
  AttentionWeights weights_;
};
TORCH_MODULE(MultiHeadAttention);

// How a layer of the transformer looks at the memory.
class MemoryAttentionImpl : public torch::nn::Module {
 public:
  // query [video, query, hidden], references [video, query, level, 1 or 2], memory -> [video,
  // query, hidden]
  virtual Tensor forward(const Tensor& query, const Tensor& references, const Memory& memory) = 0;
};

// Each query samples a few points around its reference, on every level, with every head.
class DeformableAttentionImpl : public MemoryAttentionImpl {
 public:
  enum class Sampling { learnt, even };  // even: points spread evenly over the reference's segment
  struct Options {
    int64_t hidden, heads, levels, points;
    Sampling sampling = Sampling::learnt;
  };
  explicit DeformableAttentionImpl(Options options);

  Tensor forward(const Tensor& query, const Tensor& references, const Memory& memory) override;

 private:
  Tensor places(const Tensor& query, const Tensor& references, const Levels& levels);

  Options options_;
  Linear offsets_{nullptr}, weights_{nullptr}, values_{nullptr}, output_{nullptr};
};

// The paper's ablation: softmax attention over all real positions. References are not used.
class OrdinaryAttentionImpl : public MemoryAttentionImpl {
 public:
  OrdinaryAttentionImpl(int64_t hidden, int64_t heads);

  Tensor forward(const Tensor& query, const Tensor& references, const Memory& memory) override;

 private:
  AttentionWeights weights_;
};

// Where to read on each level, in positions of that level (see deformable_sampling.h). offsets
// [..., level, point]. references [..., level, 1], shares of the level: offsets count positions;
// [..., level, 2] (centre, length): offsets are shares of half the length.
Tensor sampling_places(const Tensor& references, const Tensor& offsets, const Levels& levels);

// `points` evenly spaced places from the start to the end of each reference's segment [..., level,
// 2].
Tensor even_places(const Tensor& references, int64_t points, const Levels& levels);

// Offsets that spread the points of each head to one side, as deformable attention starts: [head,
// level, point].
Tensor initial_offsets(int64_t heads, int64_t levels, int64_t points);

}  // namespace pdvc
