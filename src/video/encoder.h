// What turns the frames of a clip into a row of features: a network, or a descriptor without
// weights.
#pragma once

#include <memory>
#include <span>

#include "data/model_file.h"
#include "video/clips.h"
#include "video/picture.h"

namespace pdvc {

// A frame as an encoder keeps it until its clips are complete: resized planes, or a small picture.
struct ClipFrame {
  std::vector<float> planes;  // [3, rows, columns]
  Picture picture;
};
using ClipFramePointer = std::shared_ptr<const ClipFrame>;

class ClipEncoder {
 public:
  virtual ~ClipEncoder() = default;

  // Its name, the rate and length of its clips, and how wide its rows are.
  virtual const Backbone& description() const = 0;
  virtual ClipRule rule() const = 0;
  // What size the decoder should make frames; 0 x 0: their own.
  virtual FrameSize frame_size() const { return {}; }
  // Called by one thread, while encode() may run on another.
  virtual ClipFramePointer prepare(const Picture& frame) = 0;
  // row [description().width]
  virtual void encode(std::span<const ClipFramePointer> clip, std::span<float> row) = 0;
  virtual double flops() const { return 0; }  // of one clip's convolutions
};

// The rule of a description, with the origin and rest of a video that belong to it.
inline ClipRule rule_of(const Backbone& backbone) {
  return {.frames_per_second = backbone.frames_per_second,
          .frames = backbone.frames,
          .stride = backbone.stride};
}

}  // namespace pdvc
