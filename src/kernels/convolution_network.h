// Networks of convolutions on oneDNN: built once for one input size, run many times.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/window.h"

namespace pdvc {

enum class Activation { none, relu, relu6 };

struct Convolution {
  Window window;
  int64_t outputs = 0;
  bool depthwise = false;          // each channel by itself
  std::span<const float> weights;  // [outputs, inputs (depthwise: 1), time, rows, columns]
  std::span<const float> bias;     // [outputs]
  Activation activation = Activation::none;
};

struct ConvolutionContent;

class ConvolutionNetwork {
 public:
  // Stands for what one of the steps below gives.
  struct Volume {
    size_t index = 0;
  };

  explicit ConvolutionNetwork(int threads);
  ~ConvolutionNetwork();
  ConvolutionNetwork(ConvolutionNetwork&&) noexcept;
  ConvolutionNetwork& operator=(ConvolutionNetwork&&) noexcept;

  // Steps, in the order in which they are to run; the input once and first.
  Volume input(const VolumeShape& shape);
  Volume convolve(Volume x, const Convolution& convolution);
  // The activation of convolution + sum. It is written over `sum`, which cannot be used any more.
  Volume convolve_onto(Volume x, const Convolution& convolution, Volume sum);
  Volume max_pool(Volume x, const Window& window);
  Volume concatenate(std::span<const Volume> parts);  // along channels
  // No more steps; gives each its memory. What is used at different times shares it.
  void finish(Volume result);

  const VolumeShape& shape(Volume volume) const;
  const VolumeShape& result_shape() const;
  double flops() const;   // of the convolutions
  int64_t bytes() const;  // of the memory that volumes share

  // Both row-major. Not to be called from two threads at once.
  void run(std::span<const float> input, std::span<float> result);
  // The same; says how many seconds each step took.
  std::vector<double> timed_run(std::span<const float> input, std::span<float> result);

 private:
  std::unique_ptr<ConvolutionContent> content_;
};

}  // namespace pdvc
