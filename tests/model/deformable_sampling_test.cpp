#include "model/deformable_sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/attention.h"

namespace pdvc {
namespace {

struct Case {
  Levels levels{std::vector<int64_t>{5, 3, 1}};
  Tensor values, places, weights;
};

// Places inside every level, at its borders and outside.
Case random_case(torch::ScalarType type) {
  torch::manual_seed(3);
  const auto options = torch::TensorOptions().dtype(type);
  Case c;
  c.values = torch::randn({2, c.levels.total(), 2, 4}, options);
  c.places = torch::rand({2, 6, 2, 3, 3}, options) * 8 - 2;
  c.weights = torch::rand({2, 6, 2, 3, 3}, options);
  return c;
}

double element(const Tensor& t, std::initializer_list<int64_t> at) {
  Tensor x = t;
  for (const int64_t i : at) x = x[i];
  return x.item<double>();
}

// The definition, one number at a time.
double naive_attend(const Case& c, int64_t n, int64_t q, int64_t h, int64_t d) {
  double sum = 0;
  for (int64_t l = 0; l < c.levels.count(); ++l)
    for (int64_t k = 0; k < c.places.size(4); ++k) {
      const int64_t length = c.levels.lengths[static_cast<size_t>(l)],
                    start = c.levels.starts[static_cast<size_t>(l)];
      const double u = element(c.places, {n, q, h, l, k});
      for (const int64_t at :
           {static_cast<int64_t>(std::floor(u)), static_cast<int64_t>(std::floor(u)) + 1})
        if (at >= 0 && at < length)
          sum += element(c.weights, {n, q, h, l, k}) * (1 - std::abs(u - static_cast<double>(at))) *
                 element(c.values, {n, start + at, h, d});
    }
  return sum;
}

// Numeric gradients of sum(f * seed) in double.
void expect_gradients(const std::function<Tensor()>& f, std::vector<Tensor> inputs) {
  for (Tensor& input : inputs) input.requires_grad_(true);
  const Tensor seed = torch::randn_like(f().detach());
  (f() * seed).sum().backward();
  torch::NoGradGuard no_grad;
  for (Tensor& input : inputs) {
    auto* data = input.data_ptr<double>();
    const Tensor gradient = input.grad().contiguous();
    for (int64_t i = 0; i < input.numel(); i += 5) {
      const double kept = data[i], step = 1e-6;
      data[i] = kept + step;
      const double above = (f() * seed).sum().item<double>();
      data[i] = kept - step;
      const double below = (f() * seed).sum().item<double>();
      data[i] = kept;
      EXPECT_NEAR(gradient.data_ptr<double>()[i], (above - below) / (2 * step), 1e-5)
          << "element " << i;
    }
  }
}

}  // namespace

TEST(DeformableSampling, IsTheDefinitionInFloatAndDouble) {
  for (const auto& [type, tolerance] : {std::pair{torch::kDouble, 1e-12}, {torch::kFloat, 1e-5}}) {
    const Case c = random_case(type);
    const Tensor out = deformable_attend(c.values, c.levels, c.places, c.weights);
    for (int64_t n = 0; n < 2; ++n)
      for (int64_t q = 0; q < 6; ++q)
        for (int64_t h = 0; h < 2; ++h)
          for (int64_t d = 0; d < 4; ++d)
            EXPECT_NEAR(element(out, {n, q, h * 4 + d}), naive_attend(c, n, q, h, d), tolerance);
  }
}

TEST(DeformableSampling, AgreesWithItsComposedTwin) {
  const Case c = random_case(torch::kDouble);
  EXPECT_TRUE(torch::allclose(deformable_attend(c.values, c.levels, c.places, c.weights),
                              composed_deformable_attend(c.values, c.levels, c.places, c.weights),
                              1e-10, 1e-10));
  const Tensor video = torch::tensor({1, 0, 1}, torch::kLong);
  const Tensor last = torch::tensor({{4, 2, 0}, {2, 1, 0}}, torch::kLong);
  const Tensor places = c.places[0].narrow(0, 0, 3);
  EXPECT_TRUE(torch::allclose(border_samples(c.values, c.levels, places, video, last),
                              composed_border_samples(c.values, c.levels, places, video, last),
                              1e-10, 1e-10));
}

TEST(DeformableSampling, GradientsAreTheNumericOnes) {
  Case c = random_case(torch::kDouble);
  expect_gradients([&] { return deformable_attend(c.values, c.levels, c.places, c.weights); },
                   {c.values, c.places, c.weights});
}

TEST(DeformableSampling, BorderGradientsAreTheNumericOnes) {
  Case c = random_case(torch::kDouble);
  Tensor places = c.places[0].narrow(0, 0, 3).clone();
  const Tensor video = torch::tensor({1, 0, 1}, torch::kLong);
  const Tensor last = torch::tensor({{4, 2, 0}, {2, 1, 0}}, torch::kLong);
  expect_gradients([&] { return border_samples(c.values, c.levels, places, video, last); },
                   {c.values, places});
}

TEST(DeformableSampling, SpreadsEvenPlacesOverASegment) {
  // A segment from 0.25 to 0.75 of a level of eight positions: from 1.5 to 5.5.
  const Tensor reference = torch::tensor({0.5, 0.5}, torch::kDouble).view({1, 2});
  const Tensor places = even_places(reference, 3, Levels(std::vector<int64_t>{8})).flatten();
  EXPECT_TRUE(torch::allclose(places, torch::tensor({1.5, 3.5, 5.5}, torch::kDouble)));
}

TEST(DeformableSampling, ReadsTheBorderBeyondALevelsEnd) {
  const Levels levels{std::vector<int64_t>{3}};
  const Tensor values = torch::tensor({10.0, 20.0, 30.0}, torch::kDouble).view({1, 3, 1, 1});
  const Tensor places = torch::tensor({-1.0, 1.0, 9.0}, torch::kDouble).view({3, 1, 1, 1});
  const auto read = [&](int64_t last) {
    return border_samples(values, levels, places, torch::zeros({3}, torch::kLong),
                          torch::full({1, 1}, last, torch::kLong))
        .flatten();
  };
  EXPECT_TRUE(read(2).equal(torch::tensor({10.0, 20.0, 30.0}, torch::kDouble)));
  EXPECT_TRUE(read(1).equal(torch::tensor({10.0, 20.0, 20.0}, torch::kDouble)));
}

}  // namespace pdvc
