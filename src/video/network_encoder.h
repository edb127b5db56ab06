// What all convolutional backbones share: frames resized to planes, and norms folded into weights.
#pragma once

#include "kernels/convolution_network.h"
#include "video/encoder.h"
#include "video/resize.h"
#include "video/weights.h"

namespace pdvc {

class NetworkEncoder : public ClipEncoder {
 public:
  NetworkEncoder(Backbone description, const FramePlan& plan)
      : description_(std::move(description)), plan_(plan), resizer_(plan) {}

  const Backbone& description() const override { return description_; }
  ClipRule rule() const override { return rule_of(description_); }
  ClipFramePointer prepare(const Picture& frame) override;

 protected:
  VolumeShape input_shape() const {
    return {3, {description_.frames, plan_.crop.height, plan_.crop.width}};
  }
  // [3, frames, rows, columns]; valid until the next call.
  std::span<float> gathered_input(std::span<const ClipFramePointer> clip);

  Backbone description_;

 private:
  FramePlan plan_;
  FrameResizer resizer_;
  std::vector<float> input_;
};

// A convolution's weights with the norm that follows it worked in.
struct FoldedWeights {
  std::vector<float> weights;  // as given
  std::vector<float> bias;     // [outputs]
};
struct Norm {
  std::vector<float> scale, shift, mean, variance;  // [outputs]; an empty scale: all ones
  double epsilon = 1e-5;
};
FoldedWeights folded(std::span<const float> weights, const Norm& norm);

// A norm as PyTorch names it: `name`.weight, .bias, .running_mean, .running_var.
Norm read_norm(const WeightSource& source, const std::string& name, int64_t channels,
               double epsilon);

std::vector<float> read_values(const WeightSource& source, const std::string& name,
                               const Shape& shape);

// The mean of each channel over everything else: volume [channels, ...] -> [channels].
void channel_means(std::span<const float> volume, std::span<float> means);

}  // namespace pdvc
