#include "video/ffmpeg_packet.h"

#include <new>

namespace pdvc {

PacketReader::PacketReader(const Input& input, int stream)
    : input_(input.get()), stream_(stream), packet_(av_packet_alloc()) {
  if (!packet_) throw std::bad_alloc();
  for (unsigned i = 0; i < input_->nb_streams; ++i)
    input_->streams[i]->discard = static_cast<int>(i) == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
}

const AVPacket* PacketReader::next() {
  // A demuxer that stays at the same damage would never end.
  constexpr int kMostFailures = 32;
  for (int failures = 0; failures < kMostFailures;) {
    av_packet_unref(packet_.get());
    const int code = av_read_frame(input_, packet_.get());
    if (code == AVERROR_EOF) return nullptr;
    if (code < 0) {
      ++damaged_;
      ++failures;
      continue;
    }
    if (packet_->stream_index == stream_) return packet_.get();
  }
  return nullptr;
}

}  // namespace pdvc
