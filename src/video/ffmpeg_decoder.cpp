#include "video/ffmpeg_decoder.h"

#include <new>

#include "base/error.h"

namespace pdvc {
namespace {

// Twice what 8K needs; a header that promises more is damaged or hostile.
constexpr int64_t kMostPixels = int64_t{8192} * 8192;

}  // namespace

FrameDecoder::FrameDecoder(const Input& input, const AVStream& stream, int threads,
                           const std::filesystem::path& path)
    : packets_(input, stream.index) {
  const AVCodec* codec = avcodec_find_decoder(stream.codecpar->codec_id);
  context_.reset(avcodec_alloc_context3(codec));
  if (!context_) throw std::bad_alloc();
  int code = avcodec_parameters_to_context(context_.get(), stream.codecpar);
  context_->pkt_timebase = stream.time_base;
  context_->thread_count = threads;
  context_->max_pixels = kMostPixels;
  if (code >= 0) code = avcodec_open2(context_.get(), codec, nullptr);
  check(code >= 0, path, ": its video cannot be decoded (", avcodec_get_name(codec->id), ": ",
        ffmpeg_error_text(code), ")");
}

Frame FrameDecoder::next() {
  Frame frame(av_frame_alloc());
  if (!frame) throw std::bad_alloc();
  // Each round feeds a packet, so the file's end ends it; behind it a decoder that reports nothing
  // but errors must not hold us.
  constexpr int kMostFailuresAtEnd = 64;
  for (int failures = 0; failures < kMostFailuresAtEnd;) {
    const int code = avcodec_receive_frame(context_.get(), frame.get());
    if (code == AVERROR_EOF) return nullptr;
    if (code == AVERROR(EAGAIN)) {
      if (fed_all_) return nullptr;
      feed();
      continue;
    }
    if (code < 0) {
      ++damaged_;
      if (fed_all_)
        ++failures;
      else
        feed();
      continue;
    }
    if (frame->width > 0 && frame->height > 0 && frame->data[0]) return frame;
    av_frame_unref(frame.get());
  }
  return nullptr;
}

void FrameDecoder::feed() {
  const AVPacket* packet = packets_.next();
  if (!packet) {
    fed_all_ = true;
    avcodec_send_packet(context_.get(), nullptr);
  } else if (const int code = avcodec_send_packet(context_.get(), packet);
             code < 0 && code != AVERROR_EOF) {
    ++damaged_;
  }
}

}  // namespace pdvc
