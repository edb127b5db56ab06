// Networks of convolutions on oneDNN: built once for one input size, run many times.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pdvc {

struct Extent {
  int64_t time = 1, rows = 1, columns = 1;

  int64_t product() const { return time * rows * columns; }
};

// Numbers [channels, time, rows, columns].
struct VolumeShape {
  int64_t channels = 0;
  Extent extent;

  int64_t elements() const { return channels * extent.product(); }
};

// What a convolution or a pool looks at for each of its outputs.
struct Window {
  Extent kernel;
  Extent stride;
  Extent before = {0, 0, 0}, after = {0, 0, 0};  // zeros put around the input

  Extent output(const Extent& input) const;
};
// With as many zeros before and after.
Window centred(const Extent& kernel, const Extent& stride, const Extent& padding);
// TensorFlow's SAME: as many outputs as steps fit, the odd zero behind.
Window same_padded(const Extent& input, const Extent& kernel, const Extent& stride);

enum class Activation { none, relu, relu6 };

struct Convolution {
  Window window;
  int64_t outputs = 0;
  bool depthwise = false;          // each channel by itself
  std::span<const float> weights;  // [outputs, inputs (depthwise: 1), time, rows, columns]
  std::span<const float> bias;     // [outputs]
  Activation activation = Activation::none;
};

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
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace pdvc
