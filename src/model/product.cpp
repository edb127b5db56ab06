#include "model/product.h"

#include <dlfcn.h>

#include <optional>

namespace pdvc {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// oneDNN's C function for row-major products, the same in its versions 1 to 3. Taken out of the
// process instead of linked, so that it is the one Torch brought, or none.
using Sgemm = int(char transpose_a, char transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
                  const float* a, int64_t lda, const float* b, int64_t ldb, float beta, float* c,
                  int64_t ldc);

Sgemm* onednn_sgemm() {
  static auto* const function = reinterpret_cast<Sgemm*>(dlsym(RTLD_DEFAULT, "dnnl_sgemm"));
  return function;
}

// A matrix as sgemm takes it: rows `stride` apart, or columns, and then it is 'T'ransposed.
struct Operand {
  char transpose;
  int64_t stride;
};

std::optional<Operand> operand(const Tensor& x) {
  if (x.stride(1) == 1 && x.stride(0) >= x.size(1)) return Operand{'N', x.stride(0)};
  if (x.stride(0) == 1 && x.stride(1) >= x.size(0)) return Operand{'T', x.stride(1)};
  return std::nullopt;
}

bool is_plain(const Tensor& x) {
  return x.device().is_cpu() && x.scalar_type() == torch::kFloat && x.numel() > 0;
}

// out = a b + beta out; false where oneDNN cannot.
bool multiply(const Tensor& out, const Tensor& a, const Tensor& b, float beta) {
  if (onednn_sgemm() == nullptr || !is_plain(a) || !is_plain(b) || !is_plain(out)) return false;
  const auto left = operand(a), right = operand(b), target = operand(out);
  if (!left || !right || !target || target->transpose != 'N') return false;
  return onednn_sgemm()(left->transpose, right->transpose, a.size(0), b.size(1), a.size(1), 1,
                        a.data_ptr<float>(), left->stride, b.data_ptr<float>(), right->stride, beta,
                        out.data_ptr<float>(), target->stride) == 0;
}

class LinearProduct : public Function<LinearProduct> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const c10::optional<Tensor>& bias) {
    context->save_for_backward({x, weight});
    context->saved_data["has_bias"] = bias.has_value();
    if (!bias) return product(x, weight.t());
    Tensor out = torch::empty({x.size(0), weight.size(0)}, x.options());
    out.copy_(*bias);
    if (!multiply(out, x, weight.t(), 1)) out = torch::addmm(*bias, x, weight.t());
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1], &g = gradients[0];
    return {context->needs_input_grad(0) ? product(g, weight) : Tensor(),
            context->needs_input_grad(1) ? product(g.t(), x) : Tensor(),
            context->saved_data["has_bias"].toBool() ? g.sum(0) : Tensor()};
  }
};

}  // namespace

void product_into(Tensor out, const Tensor& a, const Tensor& b) {
  if (!multiply(out, a, b, 0)) torch::mm_out(out, a, b);
}

Tensor product(const Tensor& a, const Tensor& b) {
  Tensor out = torch::empty({a.size(0), b.size(1)}, a.options());
  product_into(out, a, b);
  return out;
}

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!x.device().is_cpu()) return torch::linear(x, weight, bias);
  auto shape = x.sizes().vec();
  shape.back() = weight.size(0);
  return LinearProduct::apply(x.reshape({-1, x.size(-1)}), weight,
                              bias.defined() ? c10::optional<Tensor>(bias) : c10::nullopt)
      .view(shape);
}

}  // namespace pdvc
