#include "kernels/convolution_network.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>
#include <new>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "kernels/onednn.h"

namespace pdvc {
namespace {

using Memory = dnnl::memory;
using Dims = dnnl::memory::dims;
using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

constexpr int64_t kLane = 16;  // channels in one vector of the widest instruction set
constexpr size_t kAlignment = 64;

// Channels that do not fill a vector make oneDNN choose slow ways; zeros fill them up. Colours stay
// three: there are ways for them.
int64_t padded_channels(int64_t channels) {
  return channels <= 4 ? channels : (channels + kLane - 1) / kLane * kLane;
}

struct AlignedFree {
  void operator()(float* data) const { ::operator delete(data, std::align_val_t(kAlignment)); }
};
using AlignedFloats = std::unique_ptr<float, AlignedFree>;

AlignedFloats aligned_floats(size_t bytes) {
  return AlignedFloats(static_cast<float*>(
      ::operator new(std::max(bytes, kAlignment), std::align_val_t(kAlignment))));
}

// Weights with zeros for the channels that were added.
std::vector<float> padded_weights(const Convolution& c, int64_t inputs, int64_t padded_inputs) {
  const int64_t kernel = c.window.kernel.product();
  std::vector<float> padded(
      static_cast<size_t>(padded_channels(c.outputs) * padded_inputs * kernel));
  for (int64_t o = 0; o < c.outputs; ++o)
    std::copy_n(c.weights.data() + o * inputs * kernel, inputs * kernel,
                padded.data() + o * padded_inputs * kernel);
  return padded;
}

int64_t steps(int64_t input, int64_t kernel, int64_t stride, int64_t padding) {
  return (input + padding - kernel) / stride + 1;
}

void append_activation(dnnl::post_ops& after, Activation activation) {
  if (activation == Activation::none) return;
  const bool six = activation == Activation::relu6;
  const auto algorithm = six ? dnnl::algorithm::eltwise_clip : dnnl::algorithm::eltwise_relu;
  const float alpha = 0, beta = six ? 6.0f : 0.0f;
#if DNNL_VERSION_MAJOR >= 3
  after.append_eltwise(algorithm, alpha, beta);
#else
  after.append_eltwise(1, algorithm, alpha, beta);
#endif
}

}  // namespace

Extent Window::output(const Extent& in) const {
  return {steps(in.time, kernel.time, stride.time, before.time + after.time),
          steps(in.rows, kernel.rows, stride.rows, before.rows + after.rows),
          steps(in.columns, kernel.columns, stride.columns, before.columns + after.columns)};
}

Window centred(const Extent& kernel, const Extent& stride, const Extent& padding) {
  return {kernel, stride, padding, padding};
}

Window same_padded(const Extent& input, const Extent& kernel, const Extent& stride) {
  const auto total = [](int64_t in, int64_t k, int64_t s) {
    const int64_t out = (in + s - 1) / s;
    return std::max<int64_t>((out - 1) * s + k - in, 0);
  };
  const Extent all{total(input.time, kernel.time, stride.time),
                   total(input.rows, kernel.rows, stride.rows),
                   total(input.columns, kernel.columns, stride.columns)};
  const Extent before{all.time / 2, all.rows / 2, all.columns / 2};
  return {kernel,
          stride,
          before,
          {all.time - before.time, all.rows - before.rows, all.columns - before.columns}};
}

struct ConvolutionNetwork::Content {
  struct State {
    VolumeShape shape;
    Memory::desc layout;
    size_t root;                      // the volume whose memory it lies in; itself but for sums
    std::optional<size_t> converted;  // the same numbers in another layout
    size_t last_use = 0;              // step; of roots
    size_t buffer = 0;                // of roots
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

  explicit Content(int thread_count) : threads(thread_count) {}

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
  void find_last_uses();
  void assign_buffers();
  void bind();
};

size_t ConvolutionNetwork::Content::in_layout(size_t volume, const Memory::desc& layout) {
  if (volumes[volume].layout == layout) return volume;
  if (const auto other = volumes[volume].converted; other && volumes[*other].layout == layout)
    return *other;
  const size_t target = add_volume(volumes[volume].shape, layout);
  const Memory::desc from = volumes[volume].layout;
  const dnnl::reorder::primitive_desc reorder(onednn_cpu(), from, onednn_cpu(), layout);
  add_step(dnnl::reorder(reorder), {{DNNL_ARG_FROM, volume, from}, {DNNL_ARG_TO, target, layout}},
           {}, {});
  volumes[volume].converted = target;
  return target;
}

void ConvolutionNetwork::Content::add_step(const dnnl::primitive& primitive,
                                           std::vector<Operand> operands,
                                           std::unordered_map<int, Memory> constants,
                                           const Memory::desc& scratch_layout) {
  steps.push_back({.primitive = primitive,
                   .operands = std::move(operands),
                   .constants = std::move(constants),
                   .scratch = scratch_layout});
}

dnnl::convolution_forward::primitive_desc ConvolutionNetwork::Content::describe(
    const Memory::desc& source, const Dims& weight_dims, const Memory::desc& target,
    const Convolution& c, bool sum) const {
  const int64_t outputs = padded_channels(c.outputs);
  const bool over_time = weight_dims.size() == 4 && !flat;
  const Memory::desc weights(weight_dims, Type::f32, Tag::any);
  const Memory::desc bias({outputs}, Type::f32, Tag::x);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops after;
  if (sum) after.append_sum(1.0f);
  append_activation(after, c.activation);
  attributes.set_post_ops(after);
  const auto forward = dnnl::prop_kind::forward_inference;
  const auto direct = dnnl::algorithm::convolution_direct;
  const Dims stride = window_dims(c.window.stride, over_time),
             before = window_dims(c.window.before, over_time),
             behind = window_dims(c.window.after, over_time);
#if DNNL_VERSION_MAJOR >= 3
  return {onednn_cpu(), forward, direct, source, weights,   bias,
          target,       stride,  before, behind, attributes};
#else
  return {{forward, direct, source, weights, bias, target, stride, before, behind},
          attributes,
          onednn_cpu()};
#endif
}

Memory ConvolutionNetwork::Content::packed_weights(const State& x, const Convolution& c,
                                                   const Memory::desc& layout) {
  const int64_t inputs = c.depthwise ? 1 : x.shape.channels;
  std::vector<float> padded =
      padded_weights(c, inputs, c.depthwise ? 1 : padded_channels(x.shape.channels));
  const bool two_dimensions = flat || is_over_time(x, c);
  const Tag tag =
      c.depthwise ? (flat ? Tag::goihw : Tag::goidhw) : (two_dimensions ? Tag::oihw : Tag::oidhw);
  Memory source({weight_dims(x, c), Type::f32, tag}, onednn_cpu(), padded.data());
  Memory packed(layout, onednn_cpu());
  dnnl::reorder(source, packed).execute(stream, source, packed);
  stream.wait();
  return packed;
}

Memory ConvolutionNetwork::Content::padded_bias(const Convolution& c) const {
  Memory bias({{padded_channels(c.outputs)}, Type::f32, Tag::x}, onednn_cpu());
  auto* values = static_cast<float*>(bias.get_data_handle());
  std::fill_n(values, padded_channels(c.outputs), 0.0f);
  std::ranges::copy(c.bias, values);
  return bias;
}

size_t ConvolutionNetwork::Content::convolve(size_t x, const Convolution& c,
                                             std::optional<size_t> sum) {
  const OpenMpThreads guard(threads);
  const Extent from = volumes[x].shape.extent;
  const VolumeShape shape{c.outputs, c.window.output(from)};
  const int64_t inputs = padded_channels(volumes[x].shape.channels),
                outputs = padded_channels(c.outputs);
  const Dims target_dims = dims(outputs, shape.extent);
  const bool over_time = is_over_time(volumes[x], c);
  Memory::desc source(dims(inputs, from), Type::f32, Tag::any),
      target(target_dims, Type::f32, Tag::any);
  if (sum) target = volumes[*sum].layout;
  if (over_time) {
    source = joined_pixels(volumes[x].layout, inputs, from);
    const Dims joined = {1, outputs, shape.extent.time, shape.extent.rows * shape.extent.columns};
    target = sum ? target.reshape(joined) : Memory::desc(joined, Type::f32, Tag::any);
  }
  const auto description = describe(source, weight_dims(volumes[x], c), target, c, sum.has_value());
  const size_t given = over_time ? x : in_layout(x, description.src_desc());
  const Memory::desc layout =
      over_time ? description.dst_desc().reshape(target_dims) : description.dst_desc();
  const size_t result_volume = add_volume(shape, layout);
  if (sum) volumes[result_volume].root = volumes[*sum].root;
  std::unordered_map<int, Memory> constants = {
      {DNNL_ARG_WEIGHTS, packed_weights(volumes[x], c, description.weights_desc())},
      {DNNL_ARG_BIAS, padded_bias(c)}};
  add_step(dnnl::convolution_forward(description),
           {{DNNL_ARG_SRC, given, description.src_desc()},
            {DNNL_ARG_DST, result_volume, description.dst_desc()}},
           std::move(constants), description.scratchpad_desc());
  const int64_t seen = c.depthwise ? 1 : volumes[x].shape.channels;
  flops += 2.0 * static_cast<double>(shape.elements()) *
           static_cast<double>(seen * c.window.kernel.product());
  return result_volume;
}

void ConvolutionNetwork::Content::find_last_uses() {
  for (size_t s = 0; s < steps.size(); ++s)
    for (const Operand& operand : steps[s].operands)
      volumes[volumes[operand.volume].root].last_use = s;
}

// In the order of the steps: a result takes the smallest free buffer that is large enough, else the
// largest one grows, else there is a new one.
void ConvolutionNetwork::Content::assign_buffers() {
  constexpr size_t kNone = SIZE_MAX;
  for (State& volume : volumes) volume.buffer = kNone;
  std::vector<size_t> free_again;  // buffers
  for (size_t s = 0; s < steps.size(); ++s) {
    const size_t root = volumes[steps[s].operands.back().volume].root;
    State& target = volumes[root];
    if (target.buffer == kNone && root != 0) {
      const size_t needed = target.layout.get_size();
      auto best = free_again.end();
      for (auto at = free_again.begin(); at != free_again.end(); ++at) {
        if (best == free_again.end()) best = at;
        const bool fits = sizes[*at] >= needed, best_fits = sizes[*best] >= needed;
        if (fits == best_fits ? (sizes[*at] < sizes[*best]) == fits : fits) best = at;
      }
      if (best == free_again.end()) {
        target.buffer = sizes.size();
        sizes.push_back(needed);
      } else {
        target.buffer = *best;
        sizes[*best] = std::max(sizes[*best], needed);
        free_again.erase(best);
      }
    }
    for (size_t v = 1; v < volumes.size(); ++v)
      if (volumes[v].root == v && volumes[v].buffer != kNone && volumes[v].last_use == s)
        free_again.push_back(volumes[v].buffer);
  }
  for (const size_t size : sizes) buffers.push_back(aligned_floats(size));
}

void ConvolutionNetwork::Content::bind() {
  size_t most = 0;
  for (const Step& step : steps) most = std::max(most, step.scratch.get_size());
  scratch = aligned_floats(most);
  for (Step& step : steps) {
    step.arguments = step.constants;
    for (const Operand& operand : step.operands) {
      const size_t root = volumes[operand.volume].root;
      const bool given = root == 0;
      Memory memory(operand.layout, onednn_cpu(),
                    given ? nullptr : buffers[volumes[root].buffer].get());
      if (given) input_memories.push_back(memory);
      step.arguments.insert({operand.argument, memory});
    }
    if (step.scratch.get_size() > 0)
      step.arguments.insert(
          {DNNL_ARG_SCRATCHPAD, Memory(step.scratch, onednn_cpu(), scratch.get())});
  }
}

ConvolutionNetwork::ConvolutionNetwork(int threads)
    : content_(std::make_unique<Content>(threads)) {}
ConvolutionNetwork::~ConvolutionNetwork() = default;
ConvolutionNetwork::ConvolutionNetwork(ConvolutionNetwork&&) noexcept = default;
ConvolutionNetwork& ConvolutionNetwork::operator=(ConvolutionNetwork&&) noexcept = default;

ConvolutionNetwork::Volume ConvolutionNetwork::input(const VolumeShape& shape) {
  Content& c = *content_;
  assert(c.volumes.empty());
  c.flat = shape.extent.time == 1;
  return {c.add_volume(
      shape, {c.dims(padded_channels(shape.channels), shape.extent), Type::f32, c.plain()})};
}

ConvolutionNetwork::Volume ConvolutionNetwork::convolve(Volume x, const Convolution& convolution) {
  return {content_->convolve(x.index, convolution, std::nullopt)};
}

ConvolutionNetwork::Volume ConvolutionNetwork::convolve_onto(Volume x,
                                                             const Convolution& convolution,
                                                             Volume sum) {
  return {content_->convolve(x.index, convolution, sum.index)};
}

ConvolutionNetwork::Volume ConvolutionNetwork::max_pool(Volume x, const Window& window) {
  Content& c = *content_;
  const OpenMpThreads guard(c.threads);
  const Content::State& from = c.volumes[x.index];
  const VolumeShape shape{from.shape.channels, window.output(from.shape.extent)};
  const Memory::desc source = from.layout;
  const Memory::desc target(c.dims(padded_channels(shape.channels), shape.extent), Type::f32,
                            Tag::any);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto forward = dnnl::prop_kind::forward_inference;
  const auto algorithm = dnnl::algorithm::pooling_max;
  const Dims stride = c.window_dims(window.stride), kernel = c.window_dims(window.kernel),
             before = c.window_dims(window.before), behind = c.window_dims(window.after);
#if DNNL_VERSION_MAJOR >= 3
  const Dims dilation(stride.size(), 0);
  const dnnl::pooling_forward::primitive_desc description(onednn_cpu(), forward, algorithm, source,
                                                          target, stride, kernel, dilation, before,
                                                          behind, attributes);
#else
  const dnnl::pooling_forward::primitive_desc description(
      {forward, algorithm, source, target, stride, kernel, before, behind}, attributes,
      onednn_cpu());
#endif
  const size_t result = c.add_volume(shape, description.dst_desc());
  c.add_step(dnnl::pooling_forward(description),
             {{DNNL_ARG_SRC, x.index, description.src_desc()},
              {DNNL_ARG_DST, result, description.dst_desc()}},
             {}, description.scratchpad_desc());
  return {result};
}

ConvolutionNetwork::Volume ConvolutionNetwork::concatenate(std::span<const Volume> parts) {
  Content& c = *content_;
  const OpenMpThreads guard(c.threads);
  VolumeShape shape = c.volumes[parts[0].index].shape;
  const Memory::desc layout = c.volumes[parts[0].index].layout;
  shape.channels = 0;
  std::vector<Memory::desc> sources;
  std::vector<Content::Operand> operands;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Content::State& part = c.volumes[parts[i].index];
    assert(part.shape.channels % kLane == 0);  // zeros between parts would be channels
    shape.channels += part.shape.channels;
    sources.push_back(part.layout);
    operands.push_back({DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i), parts[i].index, part.layout});
  }
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::concat::primitive_desc description(onednn_cpu(), 1, sources, attributes);
#else
  const dnnl::concat::primitive_desc description(1, sources, onednn_cpu(), attributes);
#endif
  const size_t result = c.add_volume(shape, description.dst_desc());
  operands.push_back({DNNL_ARG_DST, result, description.dst_desc()});
  c.add_step(dnnl::concat(description), std::move(operands), {}, description.scratchpad_desc());
  return {result};
}

void ConvolutionNetwork::finish(Volume result) {
  Content& c = *content_;
  const OpenMpThreads guard(c.threads);
  // Channels that were added stand last, so that what is wanted is the beginning of it.
  const VolumeShape shape = c.volumes[result.index].shape;
  const Dims dims = c.dims(padded_channels(shape.channels), shape.extent);
  const Memory::desc source = c.volumes[result.index].layout;
  const Memory::desc target(dims, Type::f32, c.plain());
  c.result = c.add_volume(shape, target);
  const dnnl::reorder::primitive_desc reorder(onednn_cpu(), source, onednn_cpu(), target);
  c.add_step(dnnl::reorder(reorder),
             {{DNNL_ARG_FROM, result.index, source}, {DNNL_ARG_TO, c.result, target}}, {}, {});
  c.find_last_uses();
  c.assign_buffers();
  c.bind();
}

const VolumeShape& ConvolutionNetwork::shape(Volume volume) const {
  return content_->volumes[volume.index].shape;
}
const VolumeShape& ConvolutionNetwork::result_shape() const {
  return content_->volumes[content_->result].shape;
}
double ConvolutionNetwork::flops() const { return content_->flops; }
int64_t ConvolutionNetwork::bytes() const {
  int64_t sum = 0;
  for (const size_t size : content_->sizes) sum += static_cast<int64_t>(size);
  return sum;
}

std::vector<double> ConvolutionNetwork::timed_run(std::span<const float> input,
                                                  std::span<float> result) {
  Content& c = *content_;
  assert(static_cast<int64_t>(input.size()) == c.volumes[0].shape.elements());
  assert(static_cast<int64_t>(result.size()) == result_shape().elements());
  const OpenMpThreads guard(c.threads);
  for (Memory& memory : c.input_memories) memory.set_data_handle(const_cast<float*>(input.data()));
  std::vector<double> seconds;
  for (Content::Step& step : c.steps) {
    const double start = steady_seconds();
    step.primitive.execute(c.stream, step.arguments);
    c.stream.wait();
    seconds.push_back(steady_seconds() - start);
  }
  std::copy_n(c.buffers[c.volumes[c.result].buffer].get(), result.size(), result.begin());
  return seconds;
}

void ConvolutionNetwork::run(std::span<const float> input, std::span<float> result) {
  timed_run(input, result);
}

}  // namespace pdvc
