#include "kernels/convolution_content.h"

#include <algorithm>

#include "kernels/buffer_plan.h"

namespace pdvc {
namespace {

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

int64_t padded_channels(int64_t channels) {
  return channels <= 4 ? channels : (channels + kLane - 1) / kLane * kLane;
}

size_t ConvolutionContent::in_layout(size_t volume, const Memory::desc& layout) {
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

void ConvolutionContent::add_step(const dnnl::primitive& primitive, std::vector<Operand> operands,
                                  std::unordered_map<int, Memory> constants,
                                  const Memory::desc& scratch_layout) {
  steps.push_back({.primitive = primitive,
                   .operands = std::move(operands),
                   .constants = std::move(constants),
                   .scratch = scratch_layout});
}

dnnl::convolution_forward::primitive_desc ConvolutionContent::describe(const Memory::desc& source,
                                                                       const Dims& weight_dims,
                                                                       const Memory::desc& target,
                                                                       const Convolution& c,
                                                                       bool sum) const {
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

ConvolutionContent::Memory ConvolutionContent::packed_weights(const State& x, const Convolution& c,
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

ConvolutionContent::Memory ConvolutionContent::padded_bias(const Convolution& c) const {
  Memory bias({{padded_channels(c.outputs)}, Type::f32, Tag::x}, onednn_cpu());
  auto* values = static_cast<float*>(bias.get_data_handle());
  std::fill_n(values, padded_channels(c.outputs), 0.0f);
  std::ranges::copy(c.bias, values);
  return bias;
}

size_t ConvolutionContent::convolve(size_t x, const Convolution& c, std::optional<size_t> sum) {
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

void ConvolutionContent::assign_buffers() {
  std::vector<Lifetime> lifetimes(volumes.size());
  for (size_t v = 0; v < volumes.size(); ++v) lifetimes[v].bytes = volumes[v].layout.get_size();
  for (size_t s = 0; s < steps.size(); ++s)
    for (const Operand& operand : steps[s].operands) {
      Lifetime& lifetime = lifetimes[volumes[operand.volume].root];
      lifetime.first = std::min(lifetime.first, s);
      lifetime.last = s;
    }
  lifetimes[0] = {};  // the input lies where whoever runs the network has it
  BufferPlan plan = plan_buffers(lifetimes);
  for (size_t v = 0; v < volumes.size(); ++v) volumes[v].buffer = plan.buffers[volumes[v].root];
  sizes = std::move(plan.sizes);
  for (const size_t size : sizes) buffers.push_back(aligned_floats(size));
}

void ConvolutionContent::bind() {
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

}  // namespace pdvc
