// Inside libpdvc_video.so: the packets of one stream, whatever is wrong with the file.
#pragma once

extern "C" {
#include <libavcodec/packet.h>
}

#include <memory>

#include "video/ffmpeg_input.h"

namespace pdvc {

struct PacketFree {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};

class PacketReader {
 public:
  // Tells the demuxer to leave the other streams out.
  PacketReader(const Input& input, int stream);

  // Valid until the next call; null at the end. Damage is counted and skipped.
  const AVPacket* next();
  int64_t damaged() const { return damaged_; }

 private:
  AVFormatContext* input_;
  int stream_;
  std::unique_ptr<AVPacket, PacketFree> packet_;
  int64_t damaged_ = 0;
};

}  // namespace pdvc
