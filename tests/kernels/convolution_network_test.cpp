#include "kernels/convolution_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/parallel.h"

namespace pdvc {
namespace {

std::vector<float> random_values(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1, 1);
  std::vector<float> values(static_cast<size_t>(count));
  std::ranges::generate(values, [&] { return value(random); });
  return values;
}

// A volume and its numbers.
struct Plain {
  VolumeShape shape;
  std::vector<float> values;

  double at(int64_t c, int64_t t, int64_t y, int64_t x) const {
    const Extent& e = shape.extent;
    if (t < 0 || y < 0 || x < 0 || t >= e.time || y >= e.rows || x >= e.columns) return 0;
    return static_cast<double>(
        values[static_cast<size_t>(((c * e.time + t) * e.rows + y) * e.columns + x)]);
  }
};

// Calls body(output index, channel, the window's corner) for every output.
template <class Body>
Plain each_output(const Plain& in, int64_t channels, const Window& w, Body&& body) {
  Plain out{{channels, w.output(in.shape.extent)}, {}};
  const Extent& e = out.shape.extent;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t t = 0; t < e.time; ++t)
      for (int64_t y = 0; y < e.rows; ++y)
        for (int64_t x = 0; x < e.columns; ++x)
          out.values.push_back(static_cast<float>(body(c, t * w.stride.time - w.before.time,
                                                       y * w.stride.rows - w.before.rows,
                                                       x * w.stride.columns - w.before.columns)));
  return out;
}

double activated(double value, Activation activation) {
  if (activation == Activation::none) return value;
  return std::clamp(value, 0.0, activation == Activation::relu6 ? 6.0 : 1e30);
}

Plain convolved(const Plain& in, const Convolution& c, const Plain* sum = nullptr) {
  const Extent& k = c.window.kernel;
  const int64_t inputs = c.depthwise ? 1 : in.shape.channels;
  size_t index = 0;
  return each_output(in, c.outputs, c.window, [&](int64_t o, int64_t t, int64_t y, int64_t x) {
    double total = static_cast<double>(c.bias[static_cast<size_t>(o)]);
    size_t w = static_cast<size_t>(o * inputs * k.product());
    for (int64_t i = 0; i < inputs; ++i)
      for (int64_t kt = 0; kt < k.time; ++kt)
        for (int64_t ky = 0; ky < k.rows; ++ky)
          for (int64_t kx = 0; kx < k.columns; ++kx)
            total += static_cast<double>(c.weights[w++]) *
                     in.at(c.depthwise ? o : i, t + kt, y + ky, x + kx);
    if (sum) total += static_cast<double>(sum->values[index++]);
    return activated(total, c.activation);
  });
}

Plain pooled(const Plain& in, const Window& w) {
  return each_output(in, in.shape.channels, w, [&](int64_t c, int64_t t, int64_t y, int64_t x) {
    double most = -1e30;
    for (int64_t kt = 0; kt < w.kernel.time; ++kt)
      for (int64_t ky = 0; ky < w.kernel.rows; ++ky)
        for (int64_t kx = 0; kx < w.kernel.columns; ++kx)
          most = std::max(most, in.at(c, t + kt, y + ky, x + kx));
    return most;
  });
}

void expect_same(ConvolutionNetwork& network, const Plain& input, const Plain& expected) {
  ASSERT_EQ(network.result_shape().elements(), static_cast<int64_t>(expected.values.size()));
  std::vector<float> result(expected.values.size());
  for (int round = 0; round < 2; ++round) {  // memory is used again
    std::ranges::fill(result, -7.0f);
    network.run(input.values, result);
    for (size_t i = 0; i < result.size(); ++i)
      ASSERT_NEAR(result[i], expected.values[i], 2e-4) << i;
  }
}

// Weights that live as long as a test.
struct Made {
  std::vector<float> weights, bias;

  Made(int64_t inputs, int64_t outputs, const Extent& kernel, unsigned seed)
      : weights(random_values(inputs * outputs * kernel.product(), seed)),
        bias(random_values(outputs, seed + 1)) {
    const float scale = 1 / std::sqrt(static_cast<float>(inputs * kernel.product()));
    for (float& x : weights) x *= scale;
  }
  Convolution over(const Window& window, Activation activation = Activation::relu) const {
    return {.window = window,
            .outputs = static_cast<int64_t>(bias.size()),
            .weights = weights,
            .bias = bias,
            .activation = activation};
  }
};

}  // namespace

TEST(ConvolutionNetwork, AgreesWithLoopsForManyWindows) {
  const Plain input{{3, {6, 11, 9}}, random_values(3 * 6 * 11 * 9, 1)};
  for (const Window& window :
       {centred({3, 3, 3}, {1, 1, 1}, {1, 1, 1}), centred({1, 7, 7}, {1, 2, 2}, {0, 3, 3}),
        centred({3, 1, 1}, {2, 1, 1}, {1, 0, 0}), centred({1, 1, 1}, {2, 2, 2}, {0, 0, 0}),
        same_padded({6, 11, 9}, {7, 7, 7}, {2, 2, 2}),
        same_padded({6, 11, 9}, {3, 3, 3}, {1, 1, 1})}) {
    const Made first(3, 45, window.kernel, 2), second(45, 20, {3, 1, 1}, 4);
    const Window over_time = centred({3, 1, 1}, {1, 1, 1}, {1, 0, 0});
    ConvolutionNetwork network(available_threads());
    const auto x = network.convolve(network.input(input.shape), first.over(window));
    network.finish(network.convolve(x, second.over(over_time, Activation::none)));
    expect_same(
        network, input,
        convolved(convolved(input, first.over(window)), second.over(over_time, Activation::none)));
  }
}

TEST(ConvolutionNetwork, AddsOntoWhatIsThere) {
  const Plain input{{3, {4, 8, 8}}, random_values(3 * 4 * 8 * 8, 1)};
  const Window one = centred({1, 3, 3}, {1, 1, 1}, {0, 1, 1}),
               two = centred({3, 1, 1}, {1, 1, 1}, {1, 0, 0});
  const Made a(3, 32, one.kernel, 2), b(32, 40, one.kernel, 3), c(40, 32, two.kernel, 5);
  ConvolutionNetwork network(2);
  const auto x = network.convolve(network.input(input.shape), a.over(one));
  const auto y = network.convolve(x, b.over(one));
  network.finish(network.convolve_onto(y, c.over(two), x));
  const Plain px = convolved(input, a.over(one));
  expect_same(network, input, convolved(convolved(px, b.over(one)), c.over(two), &px));
}

TEST(ConvolutionNetwork, PoolsAndJoins) {
  const Plain input{{3, {5, 9, 7}}, random_values(3 * 5 * 9 * 7, 1)};
  const Window one = centred({1, 1, 1}, {1, 1, 1}, {0, 0, 0});
  const Made a(3, 16, one.kernel, 2), b(3, 32, one.kernel, 3);
  const Window pool = same_padded({5, 9, 7}, {3, 3, 3}, {2, 2, 2});
  ConvolutionNetwork network(1);
  const auto x = network.input(input.shape);
  const std::vector parts = {network.convolve(x, a.over(one)), network.convolve(x, b.over(one))};
  network.finish(network.max_pool(network.concatenate(parts), pool));
  Plain joined = convolved(input, a.over(one));
  const Plain rest = convolved(input, b.over(one));
  joined.values.insert(joined.values.end(), rest.values.begin(), rest.values.end());
  joined.shape.channels += rest.shape.channels;
  expect_same(network, input, pooled(joined, pool));
}

TEST(ConvolutionNetwork, KnowsPicturesWithoutTime) {
  const Plain input{{3, {1, 13, 14}}, random_values(3 * 13 * 14, 1)};
  const Window stem = same_padded({1, 13, 14}, {1, 3, 3}, {1, 2, 2});
  const Window deep = same_padded({1, 7, 7}, {1, 5, 5}, {1, 1, 1});
  const Made a(3, 24, stem.kernel, 2), b(1, 24, deep.kernel, 3);
  Convolution depthwise = b.over(deep, Activation::relu6);
  depthwise.depthwise = true;
  ConvolutionNetwork network(1);
  network.finish(
      network.convolve(network.convolve(network.input(input.shape), a.over(stem)), depthwise));
  expect_same(network, input, convolved(convolved(input, a.over(stem)), depthwise));
}

TEST(ConvolutionNetwork, SharesMemoryAmongItsSteps) {
  const VolumeShape shape{16, {4, 16, 16}};
  const Window window = centred({3, 3, 3}, {1, 1, 1}, {1, 1, 1});
  const Made same(16, 16, window.kernel, 2);
  ConvolutionNetwork network(1);
  auto x = network.input(shape);
  for (int i = 0; i < 20; ++i) x = network.convolve(x, same.over(window));
  network.finish(x);
  EXPECT_LE(network.bytes(), 4 * shape.elements() * int64_t{sizeof(float)});
}

}  // namespace pdvc
