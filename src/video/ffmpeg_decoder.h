// Inside libpdvc_video.so: one stream's packets decoded, in the order of presentation.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
}

#include "video/ffmpeg_packet.h"

namespace pdvc {

struct FrameFree {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};
using Frame = std::unique_ptr<AVFrame, FrameFree>;

class FrameDecoder {
 public:
  FrameDecoder(const Input& input, const AVStream& stream, int threads,
               const std::filesystem::path& path);

  // Null behind the last frame. What cannot be decoded is counted and left out.
  Frame next();
  int64_t damaged() const { return damaged_ + packets_.damaged(); }

 private:
  struct ContextFree {
    void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  };
  void feed();

  PacketReader packets_;
  std::unique_ptr<AVCodecContext, ContextFree> context_;
  bool fed_all_ = false;
  int64_t damaged_ = 0;
};

}  // namespace pdvc
