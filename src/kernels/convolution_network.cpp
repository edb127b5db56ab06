#include "kernels/convolution_network.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/progress.h"
#include "kernels/convolution_content.h"

namespace pdvc {
namespace {

using Memory = ConvolutionContent::Memory;
using Dims = ConvolutionContent::Dims;
using Type = ConvolutionContent::Type;
using Tag = ConvolutionContent::Tag;

}  // namespace

ConvolutionNetwork::ConvolutionNetwork(int threads)
    : content_(std::make_unique<ConvolutionContent>(threads)) {}
ConvolutionNetwork::~ConvolutionNetwork() = default;
ConvolutionNetwork::ConvolutionNetwork(ConvolutionNetwork&&) noexcept = default;
ConvolutionNetwork& ConvolutionNetwork::operator=(ConvolutionNetwork&&) noexcept = default;

ConvolutionNetwork::Volume ConvolutionNetwork::input(const VolumeShape& shape) {
  ConvolutionContent& c = *content_;
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
  ConvolutionContent& c = *content_;
  const OpenMpThreads guard(c.threads);
  const ConvolutionContent::State& from = c.volumes[x.index];
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
  ConvolutionContent& c = *content_;
  const OpenMpThreads guard(c.threads);
  VolumeShape shape = c.volumes[parts[0].index].shape;
  const Memory::desc layout = c.volumes[parts[0].index].layout;
  shape.channels = 0;
  std::vector<Memory::desc> sources;
  std::vector<ConvolutionContent::Operand> operands;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ConvolutionContent::State& part = c.volumes[parts[i].index];
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
  ConvolutionContent& c = *content_;
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
  ConvolutionContent& c = *content_;
  assert(static_cast<int64_t>(input.size()) == c.volumes[0].shape.elements());
  assert(static_cast<int64_t>(result.size()) == result_shape().elements());
  const OpenMpThreads guard(c.threads);
  for (Memory& memory : c.input_memories) memory.set_data_handle(const_cast<float*>(input.data()));
  std::vector<double> seconds;
  for (ConvolutionContent::Step& step : c.steps) {
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
