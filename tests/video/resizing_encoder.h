// Resizes frames as r2plus1d_34 takes them, and stops there.
#pragma once

#include "video/encoder.h"
#include "video/resize.h"

namespace pdvc {

class ResizingEncoder : public ClipEncoder {
 public:
  const Backbone& description() const override { return description_; }
  ClipRule rule() const override { return rule_of(description_); }
  ClipFramePointer prepare(const Picture& frame) override {
    auto kept = std::make_shared<ClipFrame>();
    kept->planes.resize(static_cast<size_t>(plan_.values()));
    resizer_.resize(frame, kept->planes);
    return kept;
  }
  void encode(std::span<const ClipFramePointer>, std::span<float>) override {}

 private:
  Backbone description_ = *known_backbone("r2plus1d_34");
  FramePlan plan_{.resized = {171, 128}, .crop = {112, 112}, .crop_from = {30, 8}};
  FrameResizer resizer_{plan_};
};

}  // namespace pdvc
