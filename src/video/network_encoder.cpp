#include "video/network_encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pdvc {

ClipFramePointer NetworkEncoder::prepare(const Picture& frame) {
  auto prepared = std::make_shared<ClipFrame>();
  prepared->planes.resize(static_cast<size_t>(plan_.values()));
  resizer_.resize(frame, prepared->planes);
  return prepared;
}

std::span<float> NetworkEncoder::gathered_input(std::span<const ClipFramePointer> clip) {
  const size_t plane = static_cast<size_t>(plan_.crop.width * plan_.crop.height);
  input_.resize(3 * clip.size() * plane);
  for (size_t frame = 0; frame < clip.size(); ++frame)
    for (size_t colour = 0; colour < 3; ++colour)
      std::copy_n(clip[frame]->planes.data() + colour * plane, plane,
                  input_.data() + (colour * clip.size() + frame) * plane);
  return input_;
}

FoldedWeights folded(std::span<const float> weights, const Norm& norm) {
  const size_t outputs = norm.shift.size(), each = weights.size() / outputs;
  FoldedWeights result{.weights = {weights.begin(), weights.end()}, .bias = {}};
  for (size_t o = 0; o < outputs; ++o) {
    const double factor = (norm.scale.empty() ? 1.0 : static_cast<double>(norm.scale[o])) /
                          std::sqrt(static_cast<double>(norm.variance[o]) + norm.epsilon);
    for (float& weight : std::span(result.weights).subspan(o * each, each))
      weight = static_cast<float>(static_cast<double>(weight) * factor);
    result.bias.push_back(static_cast<float>(static_cast<double>(norm.shift[o]) -
                                             static_cast<double>(norm.mean[o]) * factor));
  }
  return result;
}

std::vector<float> read_values(const WeightSource& source, const std::string& name,
                               const Shape& shape) {
  const Array array = source.get(name, shape);
  return {array.floats().begin(), array.floats().end()};
}

Norm read_norm(const WeightSource& source, const std::string& name, int64_t channels,
               double epsilon) {
  const Shape shape = {channels};
  return {.scale = read_values(source, name + ".weight", shape),
          .shift = read_values(source, name + ".bias", shape),
          .mean = read_values(source, name + ".running_mean", shape),
          .variance = read_values(source, name + ".running_var", shape),
          .epsilon = epsilon};
}

void channel_means(std::span<const float> volume, std::span<float> means) {
  const size_t each = volume.size() / means.size();
  for (size_t c = 0; c < means.size(); ++c) {
    const auto channel = volume.subspan(c * each, each);
    means[c] = static_cast<float>(std::accumulate(channel.begin(), channel.end(), 0.0) /
                                  static_cast<double>(each));
  }
}

}  // namespace pdvc
