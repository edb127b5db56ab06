// Pictures in the size a network takes.
#pragma once

#include <array>
#include <span>

#include "video/picture.h"

namespace pdvc {

// How a network wants its frames: resized, a rectangle in the middle, each colour scaled.
struct FramePlan {
  FrameSize resized;       // when it does not depend on the video
  int64_t short_side = 0;  // else this is the shorter side, and the longer one in proportion
  bool antialias = false;  // when shrinking: look at all pixels, not only the nearest four
  FrameSize crop;
  FrameSize crop_from;  // columns and rows left of and above it, when `resized` is given
  std::array<float, 3> scale = {1, 1, 1}, shift = {0, 0, 0};  // of red, green, blue 0..255

  int64_t values() const { return 3 * crop.width * crop.height; }
};

// Resizes pictures bilinearly (pixel centres at halves). Keeps its tables while sizes stay.
class FrameResizer {
 public:
  explicit FrameResizer(const FramePlan& plan) : plan_(plan) {}

  // planes [3, crop height, crop width]
  void resize(const Picture& picture, std::span<float> planes);

 private:
  // For each output of one axis, the inputs it is made of.
  struct Axis {
    int64_t taps = 0;
    std::vector<int64_t> first;  // [outputs]
    std::vector<float> weights;  // [outputs, taps]
  };
  struct Span {
    int64_t input, resized, from, count;
  };
  static Axis axis(const Span& span, bool antialias);
  void prepare(FrameSize size);
  void blend_row(const uint8_t* row, float* out) const;

  FramePlan plan_;
  FrameSize prepared_;
  Axis columns_, rows_;
  std::vector<float> lines_;  // rows of the picture with columns blended [rows, columns, 3]
};

}  // namespace pdvc
