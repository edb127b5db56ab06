// Inside a ConvolutionNetwork: its steps as oneDNN's primitives, and the memory that they share.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/convolution_network.h"
#include "kernels/onednn.h"

namespace pdvc {

// Channels that do not fill a vector make oneDNN choose slow ways; zeros fill them up. Colours stay
// three: there are ways for them.
int64_t padded_channels(int64_t channels);
constexpr int64_t kLane = 16;  // channels in one vector of the widest instruction set

constexpr size_t kAlignment = 64;
struct AlignedFree {
  void operator()(float* data) const { ::operator delete(data, std::align_val_t(kAlignment)); }
};
using AlignedFloats = std::unique_ptr<float, AlignedFree>;

struct ConvolutionContent {
  using Memory = dnnl::memory;
  using Dims = dnnl::memory::dims;
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;

  struct State {
    VolumeShape shape;
    Memory::desc layout;
    size_t root;                      // the volume whose memory it lies in; itself but for sums
    std::optional<size_t> converted;  // the same numbers in another layout
    size_t buffer = 0;
  };
  struct Operand {
    int argument;
    size_t volume;
    Memory::desc layout;
  };
  struct Step {
    dnnl::primitive primitive;
    std::vector<Operand> operands;  // the last one is the result
    std::unordered_map<int, Memory> constants;
    Memory::desc scratch;
    std::unordered_map<int, Memory> arguments;
  };

  explicit ConvolutionContent(int thread_count) : threads(thread_count) {}

  int threads;
  bool flat = true;  // no time: two dimensions, for which oneDNN has more ways
  std::vector<State> volumes;
  std::vector<Step> steps;
  std::vector<AlignedFloats> buffers;
  std::vector<size_t> sizes;  // of the buffers, in bytes
  AlignedFloats scratch;
  std::vector<Memory> input_memories;
  size_t result = 0;
  double flops = 0;
  dnnl::stream stream{onednn_cpu()};

  Dims dims(int64_t channels, const Extent& e) const {
    if (flat) return {1, channels, e.rows, e.columns};
    return {1, channels, e.time, e.rows, e.columns};
  }
  Dims window_dims(const Extent& e, bool over_time = false) const {
    if (flat) return {e.rows, e.columns};
    if (over_time) return {e.time, e.columns};
    return {e.time, e.rows, e.columns};
  }
  // A convolution over time alone sees a picture's pixels as one long row: oneDNN has better ways
  // for two dimensions than for three. Not on the input, whose layout is a bad one.
  bool is_over_time(const State& x, const Convolution& c) const {
    const auto alone = [](const Extent& e, int64_t value) {
      return e.rows == value && e.columns == value;
    };
    return !flat && x.root != 0 && !c.depthwise && c.window.kernel.time > 1 &&
           alone(c.window.kernel, 1) && alone(c.window.stride, 1) && alone(c.window.before, 0) &&
           alone(c.window.after, 0);
  }
  static Memory::desc joined_pixels(const Memory::desc& layout, int64_t channels, const Extent& e) {
    return layout.reshape({1, channels, e.time, e.rows * e.columns});
  }
  Dims weight_dims(const State& x, const Convolution& c) const {
    const int64_t outputs = padded_channels(c.outputs);
    const int64_t inputs = c.depthwise ? 1 : padded_channels(x.shape.channels);
    if (is_over_time(x, c)) return {outputs, inputs, c.window.kernel.time, 1};
    Dims result = dims(inputs, c.window.kernel);
    if (c.depthwise)
      result.insert(result.begin(), outputs);
    else
      result[0] = outputs;
    return result;
  }
  Tag plain() const { return flat ? Tag::nchw : Tag::ncdhw; }

  size_t add_volume(const VolumeShape& shape, const Memory::desc& layout) {
    volumes.push_back({.shape = shape, .layout = layout, .root = volumes.size()});
    return volumes.size() - 1;
  }
  size_t in_layout(size_t volume, const Memory::desc& layout);
  void add_step(const dnnl::primitive& primitive, std::vector<Operand> operands,
                std::unordered_map<int, Memory> constants, const Memory::desc& scratch_layout);
  dnnl::convolution_forward::primitive_desc describe(const Memory::desc& source,
                                                     const Dims& weight_dims,
                                                     const Memory::desc& target,
                                                     const Convolution& c, bool sum) const;
  Memory packed_weights(const State& x, const Convolution& c, const Memory::desc& layout);
  Memory padded_bias(const Convolution& c) const;
  size_t convolve(size_t x, const Convolution& c, std::optional<size_t> sum);
  void assign_buffers();
  void bind();
};

}  // namespace pdvc
