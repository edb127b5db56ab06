#include "model/product.h"

#include <gtest/gtest.h>

#include "model/repeated_product.h"

namespace pdvc {
namespace {

// The same matrix laid out in the ways the model meets: by rows, by columns, as a part of a wider
// one, with every second row.
std::vector<Tensor> layouts(const Tensor& matrix) {
  const int64_t rows = matrix.size(0), columns = matrix.size(1);
  Tensor part = torch::zeros({rows, columns + 3}, matrix.options()).narrow(1, 2, columns);
  Tensor spread = torch::zeros({rows, 2 * columns}, matrix.options()).slice(1, 0, 2 * columns, 2);
  part.copy_(matrix);
  spread.copy_(matrix);
  return {matrix, matrix.t().contiguous().t(), part, spread};
}

TEST(Product, IsTorchsForEveryLayoutAndType) {
  torch::manual_seed(1);
  for (const auto type : {torch::kFloat, torch::kDouble})
    for (const auto& [m, k, n] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
             {1, 1, 1}, {1, 7, 5}, {5, 1, 3}, {4, 9, 1}, {13, 33, 21}})
      for (const Tensor& a : layouts(torch::randn({m, k}, type)))
        for (const Tensor& b : layouts(torch::randn({k, n}, type)))
          EXPECT_TRUE(torch::allclose(product(a, b), torch::mm(a, b), 1e-5, 1e-5));
}

TEST(Product, OfNothingIsEmptyOrZero) {
  EXPECT_EQ(product(torch::ones({0, 3}), torch::ones({3, 2})).sizes().vec(),
            (std::vector<int64_t>{0, 2}));
  EXPECT_TRUE(product(torch::ones({2, 0}), torch::ones({0, 3})).equal(torch::zeros({2, 3})));
}

TEST(Linear, LeavesItsParametersAlone) {
  torch::manual_seed(2);
  Linear layer(6, 4);
  const Tensor weight = layer->weight.detach().clone(), bias = layer->bias.detach().clone();
  layer(torch::randn({1, 6}));  // one row: the bias has the output's shape
  EXPECT_TRUE(layer->weight.equal(weight) && layer->bias.equal(bias));
}

TEST(Linear, HasTorchsResultAndGradients) {
  torch::manual_seed(3);
  for (const bool with_bias : {true, false}) {
    const Tensor x = torch::randn({3, 2, 6}, torch::requires_grad()),
                 weight = torch::randn({4, 6}, torch::requires_grad()),
                 bias = torch::randn({4}, torch::requires_grad()), g = torch::randn({3, 2, 4});
    const Tensor used = with_bias ? bias : Tensor();
    const auto gradients = [&](const Tensor& y) {
      return torch::autograd::grad({(y * g).sum()}, with_bias ? std::vector<Tensor>{x, weight, bias}
                                                              : std::vector<Tensor>{x, weight});
    };
    const Tensor y = affine(x, weight, used), expected = torch::linear(x, weight, used);
    EXPECT_TRUE(torch::allclose(y, expected, 1e-5, 1e-6));
    const auto ours = gradients(y), theirs = gradients(expected);
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_TRUE(torch::allclose(ours[i], theirs[i], 1e-5, 1e-5)) << i;
  }
}

// A recurrence that uses two parts of the weight, one of them many times, and leaves a gap.
Tensor recurrence(const std::function<Tensor(const Tensor&, int64_t)>& times, const Tensor& x) {
  Tensor state = times(x, 0).tanh();
  for (int step = 0; step < 4; ++step) state = (times(x, 0) + times(state, 5)).tanh();
  return state.square().sum();
}

TEST(RepeatedProduct, HasTheGradientOfProductsDoneOneByOne) {
  torch::manual_seed(4);
  const Tensor weight = torch::randn({3, 10}, torch::dtype(torch::kDouble).requires_grad(true)),
               x = torch::randn({2, 4}, torch::dtype(torch::kDouble).requires_grad(true));
  const RepeatedProduct repeated(weight);
  const Tensor ours =
      recurrence([&](const Tensor& input, int64_t first) { return repeated(input, first); }, x);
  const Tensor plain = recurrence(
      [&](const Tensor& input, int64_t first) {
        return torch::mm(input, weight.narrow(1, first, input.size(1)).t());
      },
      x);
  EXPECT_NEAR(ours.item<double>(), plain.item<double>(), 1e-12);
  const auto a = torch::autograd::grad({ours}, {weight, x}),
             b = torch::autograd::grad({plain}, {weight, x});
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(torch::allclose(a[i], b[i], 1e-10, 1e-12)) << i;
}

TEST(RepeatedProduct, HasNoGradientForAWeightThatIsFixed) {
  const Tensor x = torch::ones({2, 3}, torch::requires_grad());
  const RepeatedProduct repeated(torch::ones({4, 3}));
  repeated(x).sum().backward();
  EXPECT_TRUE(x.grad().equal(torch::full({2, 3}, 4.0f)));
}

}  // namespace
}  // namespace pdvc
