// Videos made on the spot with FFmpeg: each frame carries its number, or four grey quarters.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
}

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "video/picture.h"

namespace pdvc {

// Draws into the luma plane: (frame number, x, y) -> 0..255.
using Drawing = std::function<int(int64_t, int, int)>;

constexpr int kNumberBits = 16, kBitWidth = 8;

inline int draw_number(int64_t number, int x, int) {
  const int bit = x / kBitWidth;
  return bit < kNumberBits && (number >> bit & 1) != 0 ? 225 : 25;
}

// Top left 40, top right 90, bottom left 160, bottom right 220.
inline Drawing draw_quarters(int width, int height) {
  return [=](int64_t, int x, int y) {
    return y < height / 2 ? (x < width / 2 ? 40 : 90) : (x < width / 2 ? 160 : 220);
  };
}

inline int64_t number_in(const Picture& picture) {
  int64_t number = 0;
  const uint8_t* row = picture.row(picture.size.height / 2);
  for (int bit = 0; bit < kNumberBits; ++bit)
    if (row[3 * (bit * kBitWidth + kBitWidth / 2)] > 127) number |= int64_t{1} << bit;
  return number;
}

struct MadeVideo {
  std::string container = "mp4";
  std::string codec = "mpeg4";
  int width = 128, height = 64;
  AVPixelFormat format = AV_PIX_FMT_YUV420P;
  AVRational time_base = {1, 25};
  std::vector<int64_t> times;  // of each frame, in units of the time base
  int64_t last_duration = 1;   // likewise
  int b_frames = 0;
  bool interlaced = false;
  bool cover = false;                          // a picture as the first stream
  double rotation = 0;                         // degrees clockwise to show it upright
  std::map<std::string, std::string> options;  // of the container
  Drawing draw = draw_number;

  MadeVideo& frames(int64_t count, int64_t step = 1) {
    for (int64_t i = 0; i < count; ++i) times.push_back(i * step);
    return *this;
  }
};

namespace made {

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("making a video: " + what);
}

struct Free {
  void operator()(AVCodecContext* x) const { avcodec_free_context(&x); }
  void operator()(AVFrame* x) const { av_frame_free(&x); }
  void operator()(AVPacket* x) const { av_packet_free(&x); }
};
using Coder = std::unique_ptr<AVCodecContext, Free>;
using FramePointer = std::unique_ptr<AVFrame, Free>;
using PacketPointer = std::unique_ptr<AVPacket, Free>;

inline void put(const AVFrame& frame, int x, int y, int value) {
  const bool wide = frame.format == AV_PIX_FMT_YUV420P10;
  if (wide)
    reinterpret_cast<uint16_t*>(frame.data[0] + y * frame.linesize[0])[x] =
        static_cast<uint16_t>(value << 2);
  else
    frame.data[0][y * frame.linesize[0] + x] = static_cast<uint8_t>(value);
}

inline FramePointer drawn(const AVCodecContext& coder, const Drawing& draw, int64_t number) {
  FramePointer frame(av_frame_alloc());
  frame->format = coder.pix_fmt;
  frame->width = coder.width;
  frame->height = coder.height;
  require(av_frame_get_buffer(frame.get(), 0) >= 0, "no memory");
  for (int y = 0; y < coder.height; ++y)
    for (int x = 0; x < coder.width; ++x) put(*frame, x, y, draw(number, x, y));
  const int grey = coder.pix_fmt == AV_PIX_FMT_YUV420P10 ? 512 : 128;
  for (int plane : {1, 2})
    for (int y = 0; y < coder.height / 2; ++y)
      for (int x = 0; x < coder.width / 2; ++x)
        if (grey == 512)
          reinterpret_cast<uint16_t*>(frame->data[plane] + y * frame->linesize[plane])[x] = 512;
        else
          frame->data[plane][y * frame->linesize[plane] + x] = 128;
  return frame;
}

inline Coder open_coder(const MadeVideo& video, const AVFormatContext& file) {
  const AVCodec* codec = avcodec_find_encoder_by_name(video.codec.c_str());
  require(codec != nullptr, "no encoder " + video.codec);
  Coder coder(avcodec_alloc_context3(codec));
  coder->width = video.width;
  coder->height = video.height;
  coder->pix_fmt = video.format;
  coder->time_base = video.time_base;
  coder->framerate = av_inv_q(video.time_base);
  coder->bit_rate = 4'000'000;
  coder->gop_size = 12;
  coder->max_b_frames = video.b_frames;
  if (video.interlaced) coder->flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
  if (file.oformat->flags & AVFMT_GLOBALHEADER) coder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  coder->thread_count = 1;
  require(avcodec_open2(coder.get(), codec, nullptr) >= 0, "encoder " + video.codec);
  return coder;
}

inline AVStream* add_stream(AVFormatContext& file, const AVCodecContext& coder) {
  AVStream* stream = avformat_new_stream(&file, nullptr);
  avcodec_parameters_from_context(stream->codecpar, &coder);
  stream->time_base = coder.time_base;
  return stream;
}

inline void add_rotation(AVStream& stream, double clockwise) {
  if (clockwise == 0) return;
  uint8_t* data = av_stream_new_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
  av_display_rotation_set(reinterpret_cast<int32_t*>(data), clockwise);
}

inline void write_packets(AVFormatContext& file, AVCodecContext& coder, const AVStream& stream,
                          int64_t duration) {
  const PacketPointer packet(av_packet_alloc());
  while (avcodec_receive_packet(&coder, packet.get()) >= 0) {
    // Encoders say when a frame starts; how long it lasts only matters for the last one.
    if (packet->duration == 0) packet->duration = duration;
    av_packet_rescale_ts(packet.get(), coder.time_base, stream.time_base);
    packet->stream_index = stream.index;
    require(av_interleaved_write_frame(&file, packet.get()) >= 0, "writing");
  }
}

// A picture that is larger than the film.
inline MadeVideo cover_of(const MadeVideo& video) {
  MadeVideo cover;
  cover.codec = "mjpeg";
  cover.format = AV_PIX_FMT_YUVJ420P;
  cover.width = 4 * video.width;
  cover.height = 4 * video.height;
  return cover;
}

}  // namespace made

inline bool can_encode(const std::string& codec) {
  return avcodec_find_encoder_by_name(codec.c_str()) != nullptr;
}

inline void write_video(const std::filesystem::path& path, const MadeVideo& video) {
  using namespace made;
  av_log_set_level(AV_LOG_QUIET);
  AVFormatContext* file = nullptr;
  avformat_alloc_output_context2(&file, nullptr, video.container.c_str(), path.c_str());
  require(file != nullptr, "no container " + video.container);
  Coder cover;
  AVStream* cover_stream = nullptr;
  if (video.cover) {
    cover = open_coder(cover_of(video), *file);
    cover_stream = add_stream(*file, *cover);
    cover_stream->disposition = AV_DISPOSITION_ATTACHED_PIC;
  }
  const Coder coder = open_coder(video, *file);
  AVStream* stream = add_stream(*file, *coder);
  add_rotation(*stream, video.rotation);
  require(avio_open(&file->pb, path.c_str(), AVIO_FLAG_WRITE) >= 0, "no file");
  AVDictionary* options = nullptr;
  for (const auto& [key, value] : video.options)
    av_dict_set(&options, key.c_str(), value.c_str(), 0);
  require(avformat_write_header(file, &options) >= 0, "header");
  av_dict_free(&options);
  if (cover) {
    const FramePointer picture = drawn(*cover, draw_number, 0);
    picture->pts = 0;
    avcodec_send_frame(cover.get(), picture.get());
    avcodec_send_frame(cover.get(), nullptr);
    write_packets(*file, *cover, *cover_stream, 1);
  }
  for (size_t i = 0; i < video.times.size(); ++i) {
    const FramePointer frame = drawn(*coder, video.draw, static_cast<int64_t>(i));
    frame->pts = video.times[i];
    frame->interlaced_frame = video.interlaced ? 1 : 0;
    require(avcodec_send_frame(coder.get(), frame.get()) >= 0, "frame");
    write_packets(*file, *coder, *stream, video.last_duration);
  }
  avcodec_send_frame(coder.get(), nullptr);
  write_packets(*file, *coder, *stream, video.last_duration);
  av_write_trailer(file);
  avio_closep(&file->pb);
  avformat_free_context(file);
}

}  // namespace pdvc
