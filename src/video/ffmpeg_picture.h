// Inside libpdvc_video.so: decoded frames as upright RGB pictures.
#pragma once

extern "C" {
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>
}

#include <memory>

#include "video/picture.h"

namespace pdvc {

// What a display matrix asks for, to the nearest quarter turn: first swap rows and columns, then
// mirror.
struct Orientation {
  bool transposed = false, mirror_columns = false, mirror_rows = false;

  bool is_upright() const { return !transposed && !mirror_columns && !mirror_rows; }
};
Orientation orientation_of(const AVStream& stream);
FrameSize turned(FrameSize size, const Orientation& orientation);

class PictureMaker {
 public:
  explicit PictureMaker(Orientation orientation) : orientation_(orientation) {}

  // False where FFmpeg cannot convert the frame's format. 0 x 0: the frame's own size.
  bool make(const AVFrame& frame, FrameSize wanted, Picture& out);

 private:
  bool convert(const AVFrame& frame, FrameSize size, Picture& out);

  struct ScalerFree {
    void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
  };
  Orientation orientation_;
  std::unique_ptr<SwsContext, ScalerFree> scaler_;
  Picture lying_;
};

}  // namespace pdvc
