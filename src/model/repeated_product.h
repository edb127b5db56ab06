// Products of many inputs with one weight, whose gradient is made once.
#pragma once

#include <torch/torch.h>

#include <map>
#include <vector>

namespace pdvc {

using torch::Tensor;

// A recurrence multiplies by the same matrix at every step. Left to autograd, every step makes a
// gradient as large as the matrix and adds it to the last; here the steps' inputs and gradients are
// kept, and one product at the end makes the gradient of all of them.
class RepeatedProduct {
 public:
  explicit RepeatedProduct(const Tensor& weight);  // [out, in]

  // x [row, count] times the transposed columns `first`, `first + 1`, ... of the weight -> [row,
  // out]
  Tensor operator()(const Tensor& x, int64_t first = 0) const;

  // What backward has met so far, by the first column used. Filled during backward only: in forward
  // it would tie the graph into a ring that is never freed.
  struct Uses : torch::CustomClassHolder {
    struct Columns {
      std::vector<Tensor> inputs, gradients;
    };
    std::map<int64_t, Columns> columns;
  };

 private:
  Tensor weight_, token_;
  c10::intrusive_ptr<Uses> uses_;
};

}  // namespace pdvc
