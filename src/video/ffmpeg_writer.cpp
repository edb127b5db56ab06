#include "video/ffmpeg_writer.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
}

#include <algorithm>
#include <array>

#include "base/atomic_file.h"
#include "base/error.h"
#include "video/ffmpeg_decoder.h"

namespace pdvc {
namespace {

constexpr int kKeyFrameSeconds = 4;
constexpr int64_t kFallbackBitRate = 600'000;  // for encoders without a constant quality

struct CloseOutput {
  void operator()(AVFormatContext* context) const {
    if (context->pb) avio_closep(&context->pb);
    avformat_free_context(context);
  }
};
struct FreeCodec {
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
};

// Limited-range BT.601 in 8 fractional bits, as players expect of small films.
uint8_t luma_of(int red, int green, int blue) {
  return static_cast<uint8_t>(((66 * red + 129 * green + 25 * blue + 128) >> 8) + 16);
}
uint8_t blue_difference(int red, int green, int blue) {
  return static_cast<uint8_t>(((-38 * red - 74 * green + 112 * blue + 128) >> 8) + 128);
}
uint8_t red_difference(int red, int green, int blue) {
  return static_cast<uint8_t>(((112 * red - 94 * green - 18 * blue + 128) >> 8) + 128);
}

// Two rows of RGB into two of luma and one of each colour difference.
void convert_rows(const uint8_t* upper, const uint8_t* lower, int width, uint8_t* upper_luma,
                  uint8_t* lower_luma, uint8_t* blue, uint8_t* red) {
  for (ptrdiff_t x = 0; x < width; ++x) {
    upper_luma[x] = luma_of(upper[3 * x], upper[3 * x + 1], upper[3 * x + 2]);
    lower_luma[x] = luma_of(lower[3 * x], lower[3 * x + 1], lower[3 * x + 2]);
  }
  for (ptrdiff_t x = 0; x < width / 2; ++x) {
    std::array<int, 3> mean{};
    for (int c = 0; c < 3; ++c)
      mean[static_cast<size_t>(c)] =
          (upper[6 * x + c] + upper[6 * x + 3 + c] + lower[6 * x + c] + lower[6 * x + 3 + c] + 2) /
          4;
    blue[x] = blue_difference(mean[0], mean[1], mean[2]);
    red[x] = red_difference(mean[0], mean[1], mean[2]);
  }
}

void convert(std::span<const uint8_t> rgb, AVFrame& frame) {
  const auto row_bytes = static_cast<size_t>(frame.width) * 3;
  for (int y = 0; y < frame.height; y += 2) {
    const uint8_t* upper = &rgb[static_cast<size_t>(y) * row_bytes];
    uint8_t* luma = frame.data[0] + static_cast<ptrdiff_t>(y) * frame.linesize[0];
    convert_rows(upper, upper + row_bytes, frame.width, luma, luma + frame.linesize[0],
                 frame.data[1] + static_cast<ptrdiff_t>(y / 2) * frame.linesize[1],
                 frame.data[2] + static_cast<ptrdiff_t>(y / 2) * frame.linesize[2]);
  }
}

class FfmpegFilmWriter : public FilmWriter {
 public:
  FfmpegFilmWriter(std::filesystem::path path, const FilmFormat& format)
      : path_(std::move(path)), partial_(path_), format_(format) {
    check(format.width > 0 && format.height > 0 && format.width % 2 == 0 && format.height % 2 == 0,
          path_, ": cannot be ", format.width, " by ", format.height,
          " pixels (expected even numbers)");
    open_encoder();
    open_file();
    frame_.reset(av_frame_alloc());
    packet_.reset(av_packet_alloc());
    frame_->format = codec_->pix_fmt;
    frame_->width = format.width;
    frame_->height = format.height;
    require(av_frame_get_buffer(frame_.get(), 0), "no memory for a frame");
  }
  ~FfmpegFilmWriter() override = default;
  FfmpegFilmWriter(const FfmpegFilmWriter&) = delete;
  FfmpegFilmWriter& operator=(const FfmpegFilmWriter&) = delete;

  void write(std::span<const uint8_t> rgb) override {
    const auto expected =
        static_cast<size_t>(format_.width) * static_cast<size_t>(format_.height) * 3;
    check(rgb.size() == expected, path_, ": frame of ", rgb.size(), " bytes (expected ", expected,
          ")");
    require(av_frame_make_writable(frame_.get()), "no memory for a frame");
    convert(rgb, *frame_);
    frame_->pts = frames_++;
    encode(frame_.get());
  }

  void finish() override {
    encode(nullptr);
    require(av_write_trailer(output_.get()), "cannot be written");
    require(avio_closep(&output_->pb), "cannot be written");
    partial_.commit();
  }

 private:
  void require(int code, const char* what) const {
    check(code >= 0, path_, ": ", what, ": ", ffmpeg_error_text(code));
  }

  // The first that is there and opens.
  void open_encoder() {
    const std::array encoders{avcodec_find_encoder_by_name("libx264"),
                              avcodec_find_encoder_by_name("libopenh264"),
                              avcodec_find_encoder(AV_CODEC_ID_MPEG4)};
    int code = AVERROR_ENCODER_NOT_FOUND;
    for (const AVCodec* encoder : encoders) {
      if (!encoder) continue;
      codec_.reset(avcodec_alloc_context3(encoder));
      set_up(*codec_, *encoder);
      code = avcodec_open2(codec_.get(), encoder, nullptr);
      if (code >= 0) return;
    }
    require(code, "cannot be encoded");
  }

  void set_up(AVCodecContext& codec, const AVCodec& encoder) const {
    codec.width = format_.width;
    codec.height = format_.height;
    codec.pix_fmt = AV_PIX_FMT_YUV420P;
    codec.time_base = {1, format_.frames_per_second};
    codec.framerate = {format_.frames_per_second, 1};
    codec.gop_size = kKeyFrameSeconds * format_.frames_per_second;
    codec.thread_count = 1;  // films are made side by side
    codec.colorspace = AVCOL_SPC_SMPTE170M;
    codec.color_range = AVCOL_RANGE_MPEG;
    codec.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
    if (std::string_view(encoder.name) == "libx264") {
      av_opt_set(codec.priv_data, "preset", "veryfast", 0);
      av_opt_set(codec.priv_data, "crf", "23", 0);
    } else {
      codec.bit_rate = kFallbackBitRate;
    }
  }

  void open_file() {
    const std::string address = "file:" + partial_.path().string();
    AVFormatContext* context = nullptr;
    // It opens the file once more to put the index first, so it needs the address, too.
    require(avformat_alloc_output_context2(&context, nullptr, "mp4", address.c_str()),
            "cannot be written as MP4");
    output_.reset(context);
    context->flags |= AVFMT_FLAG_BITEXACT;
    av_dict_set(&context->metadata, "comment", format_.comment.c_str(), 0);
    stream_ = avformat_new_stream(context, nullptr);
    check(stream_ != nullptr, path_, ": no memory for a stream");
    stream_->time_base = codec_->time_base;
    stream_->avg_frame_rate = codec_->framerate;
    require(avcodec_parameters_from_context(stream_->codecpar, codec_.get()),
            "cannot be written as MP4");
    require(avio_open(&context->pb, address.c_str(), AVIO_FLAG_WRITE), "cannot be written");
    // The index first: a player can start at once.
    AVDictionary* options = nullptr;
    av_dict_set(&options, "movflags", "+faststart", 0);
    const int code = avformat_write_header(context, &options);
    av_dict_free(&options);
    require(code, "cannot be written");
  }

  void encode(const AVFrame* frame) {
    require(avcodec_send_frame(codec_.get(), frame), "cannot be encoded");
    while (true) {
      const int code = avcodec_receive_packet(codec_.get(), packet_.get());
      if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return;
      require(code, "cannot be encoded");
      packet_->duration = 1;
      av_packet_rescale_ts(packet_.get(), codec_->time_base, stream_->time_base);
      packet_->stream_index = stream_->index;
      require(av_interleaved_write_frame(output_.get(), packet_.get()), "cannot be written");
    }
  }

  std::filesystem::path path_;
  PartialFile partial_;
  FilmFormat format_;
  std::unique_ptr<AVFormatContext, CloseOutput> output_;
  std::unique_ptr<AVCodecContext, FreeCodec> codec_;
  Frame frame_;
  std::unique_ptr<AVPacket, PacketFree> packet_;
  AVStream* stream_ = nullptr;  // the output's
  int64_t frames_ = 0;
};

}  // namespace

std::unique_ptr<FilmWriter> ffmpeg_open_film(const std::filesystem::path& path,
                                             const FilmFormat& format) {
  av_log_set_level(AV_LOG_QUIET);
  return std::make_unique<FfmpegFilmWriter>(path, format);
}

}  // namespace pdvc
