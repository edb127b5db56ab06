#include "video/ffmpeg_reader.h"

#include "base/error.h"
#include "video/ffmpeg_decoder.h"
#include "video/ffmpeg_picture.h"
#include "video/ffmpeg_timing.h"
#include "video/frame_clock.h"

namespace pdvc {
namespace {

class FfmpegReader : public VideoReader {
 public:
  FfmpegReader(const std::filesystem::path& path, int threads)
      : path_(path),
        timing_(scan(path)),
        input_(open_described_input(path)),
        stream_(film_stream(input_, path)),
        decoder_(input_, *stream_, threads, path),
        pictures_(orientation_of(*stream_)),
        clock_(timing_.constant.value_or(timing_.nominal)) {
    decode_ahead();
    check(ahead_.frame != nullptr, path, ": no frame of its video can be decoded");
  }

  std::optional<Rate> constant_rate() const override { return timing_.constant; }

  std::string comment() const override { return comment_of(input_); }

  bool next() override {
    if (!ahead_.frame) return false;
    current_ = std::move(ahead_);
    decode_ahead();
    shown_ = {.ordinal = ordinal_++,
              .number = current_.place.number,
              .start = current_.place.time,
              .last = ahead_.frame == nullptr};
    shown_.next_number = shown_.last ? shown_.number + 1 : ahead_.place.number;
    shown_.end = shown_.last ? shown_.start + length_of_last() : ahead_.place.time;
    return true;
  }

  const ShownFrame& shown() const override { return shown_; }

  FrameSize size() const override {
    return turned({current_.frame->width, current_.frame->height}, orientation_of(*stream_));
  }

  void picture(FrameSize wanted, Picture& out) override {
    check(pictures_.make(*current_.frame, wanted, out), path_,
          ": its video's pixel format cannot be converted");
  }

  int64_t damaged() const override { return decoder_.damaged(); }

 private:
  struct Decoded {
    Frame frame;
    FrameClock::Place place;
  };

  // In a pass of its own: not every format can go back to its beginning.
  static StreamTiming scan(const std::filesystem::path& path) {
    const Input input = open_described_input(path);
    return timing_of(input, *film_stream(input, path), path);
  }

  void decode_ahead() {
    ahead_ = {.frame = decoder_.next()};
    if (!ahead_.frame) return;
    std::optional<double> stamp;
    if (const int64_t ticks = ahead_.frame->best_effort_timestamp; ticks != AV_NOPTS_VALUE)
      stamp = static_cast<double>(ticks) * av_q2d(stream_->time_base);
    ahead_.place = clock_.place(stamp);
  }

  // What the file says, if it is sensible.
  double length_of_last() const {
    const double usual = 1 / timing_.constant.value_or(timing_.nominal).value();
    if (timing_.constant) return usual;
    const double said =
        static_cast<double>(current_.frame->pkt_duration) * av_q2d(stream_->time_base);
    constexpr double kLongest = 60;
    return said > 0 && said < kLongest ? said : usual;
  }

  std::filesystem::path path_;
  StreamTiming timing_;
  Input input_;
  AVStream* stream_;
  FrameDecoder decoder_;
  PictureMaker pictures_;
  FrameClock clock_;
  Decoded current_, ahead_;
  ShownFrame shown_;
  int64_t ordinal_ = 0;
};

}  // namespace

std::unique_ptr<VideoReader> ffmpeg_reader(const std::filesystem::path& path, int threads) {
  return std::make_unique<FfmpegReader>(path, threads);
}

}  // namespace pdvc
