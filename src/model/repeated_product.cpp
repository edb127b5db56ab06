#include "model/repeated_product.h"

#include "model/product.h"

namespace pdvc {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

namespace {

using Uses = RepeatedProduct::Uses;

c10::IValue capsule(const c10::intrusive_ptr<Uses>& uses) {
  return c10::IValue::make_capsule(uses);
}

Uses& uses_in(AutogradContext* context) {
  return *static_cast<Uses*>(context->saved_data["uses"].toCapsule().get());
}

// The weight's side: hands out an empty token that the steps depend on, so that its backward runs
// after theirs.
class Collect : public Function<Collect> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& weight,
                        const c10::intrusive_ptr<Uses>& uses) {
    context->set_materialize_grads(false);
    context->saved_data["uses"] = capsule(uses);
    context->saved_data["shape"] = weight.sizes().vec();
    return torch::empty({0}, weight.options());
  }

  static variable_list backward(AutogradContext* context, variable_list) {
    Uses& uses = uses_in(context);
    Tensor gradient;
    const auto shape = context->saved_data["shape"].toIntVector();
    int64_t covered = 0;
    for (auto& [first, part] : uses.columns) {
      const Tensor x = torch::cat(part.inputs, 0), g = torch::cat(part.gradients, 0);
      if (!gradient.defined()) gradient = torch::empty(shape, x.options());
      if (first > covered) gradient.narrow(1, covered, first - covered).zero_();
      product_into(gradient.narrow(1, first, x.size(1)), g.t(), x);
      covered = first + x.size(1);
    }
    if (gradient.defined() && covered < shape[1])
      gradient.narrow(1, covered, shape[1] - covered).zero_();
    uses.columns.clear();
    return {gradient, Tensor()};
  }
};

class Multiply : public Function<Multiply> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& /*token*/,
                        const Tensor& weight, int64_t first, const c10::intrusive_ptr<Uses>& uses) {
    context->save_for_backward({x, weight});
    context->saved_data["uses"] = capsule(uses);
    context->saved_data["first"] = first;
    return product(x, weight.narrow(1, first, x.size(1)).t());
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1];
    const int64_t first = context->saved_data["first"].toInt();
    auto& part = uses_in(context).columns[first];
    part.inputs.push_back(x);
    part.gradients.push_back(gradients[0]);
    return {product(gradients[0], weight.narrow(1, first, x.size(1))), Tensor(), Tensor(), Tensor(),
            Tensor()};
  }
};

}  // namespace

RepeatedProduct::RepeatedProduct(const Tensor& weight)
    : weight_(weight.detach()), uses_(c10::make_intrusive<Uses>()) {
  token_ = Collect::apply(weight, uses_);
}

Tensor RepeatedProduct::operator()(const Tensor& x, int64_t first) const {
  return Multiply::apply(x, token_, weight_, first, uses_);
}

}  // namespace pdvc
