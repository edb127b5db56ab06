// An encoder that keeps the numbers which the frames of a made video carry.
#pragma once

#include "made_video.h"
#include "video/encoder.h"

namespace pdvc {

class NumbersEncoder : public ClipEncoder {
 public:
  explicit NumbersEncoder(const ClipRule& rule) : rule_(rule) {}

  const Backbone& description() const override { return description_; }
  ClipRule rule() const override { return rule_; }
  ClipFramePointer prepare(const Picture& frame) override {
    ++prepared;
    auto kept = std::make_shared<ClipFrame>();
    kept->planes = {static_cast<float>(number_in(frame))};
    return kept;
  }
  void encode(std::span<const ClipFramePointer>, std::span<float>) override {}

  int64_t prepared = 0;

 private:
  ClipRule rule_;
  Backbone description_;
};

}  // namespace pdvc
