// `pixels` as a backbone.
#include "video/pixels.h"

#include "base/error.h"
#include "video/backbones.h"

namespace pdvc {
namespace {

constexpr int64_t kFewestFrames = 8;

// Measured when its first clip is encoded, not when it is decoded: so that decoding goes on
// meanwhile.
struct MeasuredFrame : ClipFrame {
  mutable std::optional<FrameMeasure> measure;
};

const FrameMeasure& measure_of(const MeasuredFrame& frame) {
  if (!frame.measure)
    measure_frame(frame.picture.bytes.data(), frame.picture.stride, frame.measure.emplace());
  return *frame.measure;
}

class PixelsEncoder : public ClipEncoder {
 public:
  explicit PixelsEncoder(const BackboneOptions& options)
      : description_(described("pixels", options)) {
    check(description_.frames >= kFewestFrames && description_.width == kPixelsRow,
          "pixels: makes rows of ", kPixelsRow, " numbers from clips of ", kFewestFrames,
          " frames or more, not of ", description_.width, " from ", description_.frames);
  }

  const Backbone& description() const override { return description_; }
  ClipRule rule() const override {
    ClipRule rule = rule_of(description_);
    rule.origin =
        ClipRule::Origin::video;  // clips overlap: a frame is decoded for one, used in both
    return rule;
  }
  FrameSize frame_size() const override { return {kPixelsWidth, kPixelsHeight}; }

  ClipFramePointer prepare(const Picture& frame) override {
    auto measured = std::make_shared<MeasuredFrame>();
    measured->picture = frame;
    return measured;
  }

  void encode(std::span<const ClipFramePointer> clip, std::span<float> row) override {
    std::vector<const FrameMeasure*> measures;
    for (const ClipFramePointer& frame : clip)  // all of them are made by prepare()
      measures.push_back(&measure_of(static_cast<const MeasuredFrame&>(*frame)));
    describe_clip(measures, row);
  }

 private:
  Backbone description_;
};

}  // namespace

BackboneKind pixels() {
  return {.name = "pixels",
          .landmark = "",
          .classes = "",
          .make = [](const WeightSource*, const BackboneOptions& options)
              -> std::unique_ptr<ClipEncoder> { return std::make_unique<PixelsEncoder>(options); }};
}

}  // namespace pdvc
