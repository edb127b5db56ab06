// Videos of every awkward kind, made on the spot: each frame comes out at its second.
#include "video/reader.h"

#include <gmock/gmock.h>

#include "made_video.h"
#include "numbers_encoder.h"
#include "support/files.h"
#include "video/clip_stream.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  std::vector<int64_t> numbers;  // that the frames carry
  std::vector<double> times;
  std::optional<Rate> rate;
  std::vector<FrameSize> sizes;
  int64_t damaged = 0;
};

Read read_all(const std::filesystem::path& path) {
  const auto reader = open_video(path, 2);
  Read read{.numbers = {}, .times = {}, .rate = reader->constant_rate(), .sizes = {}};
  Picture picture;
  while (reader->next()) {
    reader->picture({}, picture);
    read.numbers.push_back(number_in(picture));
    read.times.push_back(reader->shown().start);
    read.sizes.push_back(picture.size);
  }
  read.damaged = reader->damaged();
  return read;
}

void expect_counting(const Read& read, size_t count) {
  ASSERT_EQ(read.numbers.size(), count);
  for (size_t i = 0; i < count; ++i) ASSERT_EQ(read.numbers[i], static_cast<int64_t>(i));
}

std::vector<std::vector<int64_t>> clips_of(const std::filesystem::path& path,
                                           const ClipRule& rule) {
  NumbersEncoder encoder(rule);
  ClipStream stream(open_video(path, 2), encoder);
  std::vector<std::vector<int64_t>> clips;
  while (const auto clip = stream.next()) {
    clips.emplace_back();
    for (const ClipFramePointer& frame : *clip)
      clips.back().push_back(static_cast<int64_t>(frame->planes[0]));
  }
  return clips;
}

const ClipRule kTsp{.frames_per_second = 15, .frames = 16, .stride = 16};

struct Kind {
  const char* container;
  const char* codec;
  int b_frames;
};
void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.codec << " in " << kind.container << ", " << kind.b_frames << " B-frames";
}

class EveryKind : public testing::TestWithParam<Kind> {
 protected:
  MadeVideo made() const {
    MadeVideo video;
    video.container = GetParam().container;
    video.codec = GetParam().codec;
    video.b_frames = GetParam().b_frames;
    return video;
  }
};
#define PDVC_NEEDS_ENCODER(name) \
  if (!can_encode(name)) GTEST_SKIP() << "this FFmpeg has no encoder " << (name)

}  // namespace

TEST_P(EveryKind, OfConstantRateGivesEachClipItsFrames) {
  PDVC_NEEDS_ENCODER(GetParam().codec);
  const TemporaryFolder folder;
  for (const Rate rate : {Rate{24000, 1001}, {30000, 1001}, {60, 1}, {25, 1}}) {
    MadeVideo video = made();
    video.time_base = {static_cast<int>(rate.denominator), static_cast<int>(rate.numerator)};
    write_video(folder / "a", video.frames(150));
    const Read read = read_all(folder / "a");
    expect_counting(read, 150);
    ASSERT_TRUE(read.rate.has_value());
    EXPECT_NEAR(read.rate->value(), rate.value(), 1e-3);
    for (size_t i = 0; i < 150; ++i)
      ASSERT_NEAR(read.times[i], static_cast<double>(i) / rate.value(), 2e-3);
    const auto clips = clips_of(folder / "a", kTsp);
    ASSERT_EQ(clips.size(), static_cast<size_t>(150 * 15 / rate.value() / 16));
    for (size_t c = 0; c < clips.size(); ++c)
      for (int64_t j = 0; j < 16; ++j) {
        const auto first = static_cast<int64_t>(16.0 * static_cast<double>(c) * rate.value() / 15);
        const auto later = static_cast<int64_t>(static_cast<double>(j) * rate.value() / 15 + 1e-9);
        ASSERT_EQ(clips[c][static_cast<size_t>(j)], first + later) << rate.value();
      }
  }
}

TEST_P(EveryKind, OfVariableRateGivesEachClipTheFramesShownThen) {
  PDVC_NEEDS_ENCODER(GetParam().codec);
  if (std::string(GetParam().container) == "avi") GTEST_SKIP() << "AVI knows no variable rate";
  const TemporaryFolder folder;
  MadeVideo video = made();
  video.time_base = {1, 1000};
  video.last_duration = 40;
  // From 20 to 135 ms.
  int64_t time = 0;
  for (int64_t i = 0; i < 120; ++i) {
    video.times.push_back(time);
    time += 20 + (i * 37) % 116;
  }
  write_video(folder / "a", video);
  const Read read = read_all(folder / "a");
  expect_counting(read, 120);
  EXPECT_FALSE(read.rate.has_value());
  for (size_t i = 0; i < 120; ++i)
    ASSERT_NEAR(read.times[i], static_cast<double>(video.times[i]) / 1000, 1e-4);
  // The rule, written out.
  const auto shown_at = [&](double second) {
    int64_t frame = 0;
    while (frame + 1 < 120 &&
           static_cast<double>(video.times[static_cast<size_t>(frame) + 1]) <= second * 1000 + 1e-4)
      ++frame;
    return frame;
  };
  const auto clips = clips_of(folder / "a", kTsp);
  ASSERT_GE(clips.size(), 7u);
  for (size_t c = 0; c < clips.size(); ++c) {
    const int64_t first = shown_at(16.0 * static_cast<double>(c) / 15);
    const double origin = static_cast<double>(video.times[static_cast<size_t>(first)]) / 1000;
    for (size_t j = 0; j < 16; ++j)
      ASSERT_EQ(clips[c][j], shown_at(origin + static_cast<double>(j) / 15)) << c << " " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind,
                         testing::Values(Kind{"mp4", "mpeg4", 0}, Kind{"mp4", "mpeg4", 2},
                                         Kind{"matroska", "mpeg4", 2}, Kind{"avi", "mpeg4", 0},
                                         Kind{"mp4", "libx264", 3}, Kind{"matroska", "libx264", 3},
                                         Kind{"mpegts", "libx264", 3}, Kind{"mov", "libx264", 0}));

TEST(VideoReader, UndoesRotation) {
  const TemporaryFolder folder;
  struct Case {
    double clockwise;
    std::array<int, 4> quarters;  // seen upright: top left, top right, bottom left, bottom right
  };
  for (const Case& c : {Case{0, {40, 90, 160, 220}}, Case{90, {160, 40, 220, 90}},
                        Case{180, {220, 160, 90, 40}}, Case{270, {90, 220, 40, 160}}}) {
    MadeVideo video;
    video.rotation = c.clockwise;
    video.draw = draw_quarters(video.width, video.height);
    write_video(folder / "a", video.frames(3));
    const auto reader = open_video(folder / "a", 1);
    ASSERT_TRUE(reader->next());
    const bool lies = c.clockwise == 90 || c.clockwise == 270;
    const FrameSize upright = lies ? FrameSize{64, 128} : FrameSize{128, 64};
    EXPECT_EQ(reader->size(), upright);
    for (const FrameSize wanted : {FrameSize{}, FrameSize{40, 20}}) {
      Picture picture;
      reader->picture(wanted, picture);
      EXPECT_EQ(picture.size, wanted == FrameSize{} ? upright : wanted);
      const auto [width, height] = picture.size;
      const auto grey = [&](int64_t x, int64_t y) {
        return (picture.row(y)[3 * x] - 0.0) * 219 / 255 + 16;  // as luma
      };
      EXPECT_NEAR(grey(width / 4, height / 4), c.quarters[0], 6) << c.clockwise;
      EXPECT_NEAR(grey(3 * width / 4, height / 4), c.quarters[1], 6) << c.clockwise;
      EXPECT_NEAR(grey(width / 4, 3 * height / 4), c.quarters[2], 6) << c.clockwise;
      EXPECT_NEAR(grey(3 * width / 4, 3 * height / 4), c.quarters[3], 6) << c.clockwise;
    }
  }
}

TEST(VideoReader, ReadsTenBitsAndInterlacedFrames) {
  const TemporaryFolder folder;
  MadeVideo deep;
  deep.container = "matroska";
  deep.codec = "ffv1";
  deep.format = AV_PIX_FMT_YUV420P10;
  write_video(folder / "deep", deep.frames(20));
  expect_counting(read_all(folder / "deep"), 20);
  MadeVideo interlaced;
  interlaced.container = "mpegts";
  interlaced.codec = "mpeg2video";
  interlaced.interlaced = true;
  interlaced.b_frames = 2;
  write_video(folder / "interlaced", interlaced.frames(40));
  expect_counting(read_all(folder / "interlaced"), 40);
}

TEST(VideoReader, TakesTheFilmAndNotItsCover) {
  const TemporaryFolder folder;
  MadeVideo video;
  video.cover = true;
  write_video(folder / "a.mp4", video.frames(30));
  const Read read = read_all(folder / "a.mp4");
  expect_counting(read, 30);
  EXPECT_EQ(read.sizes.front(), (FrameSize{128, 64}));
}

TEST(VideoReader, NeedsNoTimeStamps) {
  const TemporaryFolder folder;
  MadeVideo bare;
  bare.container = "m4v";  // nothing but the codec's own bits
  write_video(folder / "a.m4v", bare.frames(50));
  const Read read = read_all(folder / "a.m4v");
  expect_counting(read, 50);
  EXPECT_NEAR(read.times.back(), 49 / 25.0, 0.01);
}

TEST(VideoReader, NeedsNoDuration) {
  const TemporaryFolder folder;
  MadeVideo live;
  live.container = "matroska";
  live.options = {{"live", "1"}};
  write_video(folder / "a.mkv", live.frames(50));
  expect_counting(read_all(folder / "a.mkv"), 50);
}

TEST(VideoReader, CountsFromTheFirstFrameShown) {
  const TemporaryFolder folder;
  MadeVideo late;
  late.container = "matroska";
  for (int64_t i = 0; i < 40; ++i) late.times.push_back(2500 + i);
  write_video(folder / "a.mkv", late);
  const Read read = read_all(folder / "a.mkv");
  expect_counting(read, 40);
  EXPECT_EQ(read.times.front(), 0);
  EXPECT_NEAR(read.times.back(), 39 / 25.0, 2e-3);
}

// Then the average rate, which MP4 files are read with, is wrong by a frame.
TEST(VideoReader, KnowsTheRateThoughTheLastFrameHasNoLength) {
  const TemporaryFolder folder;
  MadeVideo video;
  video.last_duration = 0;
  write_video(folder / "a.mp4", video.frames(50));
  EXPECT_EQ(read_all(folder / "a.mp4").rate, (Rate{25, 1}));
}

// Two films of different size, one behind the other: the stamps start again in the middle.
TEST(VideoReader, FollowsAFilmThatChangesItsSize) {
  const TemporaryFolder folder;
  MadeVideo first;
  first.container = "mpegts";
  first.codec = "mpeg2video";
  MadeVideo second = first;
  second.width = 256;
  second.height = 128;
  write_video(folder / "1", first.frames(25));
  write_video(folder / "2", second.frames(25));
  const auto both = folder.write("both.ts", contents_of(folder / "1") + contents_of(folder / "2"));
  const Read read = read_all(both);
  ASSERT_GE(read.numbers.size(), 48u);  // the first film's last packet may be lost
  EXPECT_EQ(read.sizes.front(), (FrameSize{128, 64}));
  EXPECT_EQ(read.sizes.back(), (FrameSize{256, 128}));
  EXPECT_EQ(read.numbers.back(), 24);
  for (size_t i = 1; i < read.times.size(); ++i) EXPECT_GT(read.times[i], read.times[i - 1]);
  EXPECT_NEAR(read.times.back(), 49 / 25.0, 0.2);
}

// A hole in the middle: what comes behind it keeps its time.
TEST(VideoReader, KeepsTheTimeBehindDamage) {
  const TemporaryFolder folder;
  MadeVideo video;
  video.container = "matroska";
  video.options = {{"cluster_time_limit", "400"}};
  write_video(folder / "a.mkv", video.frames(200));
  std::string bytes = contents_of(folder / "a.mkv");
  for (size_t i = bytes.size() / 3; i < bytes.size() / 2; ++i) bytes[i] = '\0';
  const Read read = read_all(folder.write("b.mkv", bytes));
  ASSERT_GT(read.numbers.size(), 100u);
  EXPECT_LT(read.numbers.size(), 200u);
  EXPECT_EQ(read.numbers.back(), 199);
  EXPECT_NEAR(read.times.back(), 199 / 25.0, 0.05);
}

TEST(VideoReader, RefusesWhatItCannotDecode) {
  const TemporaryFolder folder;
  MadeVideo locked;
  locked.options = {{"encryption_scheme", "cenc-aes-ctr"},
                    {"encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"},
                    {"encryption_kid", "a7e61c373e219033c21091fa607bf3b8"}};
  write_video(folder / "locked.mp4", locked.frames(30));
  EXPECT_THAT(error_of([&] { open_video(folder / "locked.mp4", 1); }),
              HasSubstr("locked.mp4: is encrypted"));

  // One second of silence.
  std::string sound(
      "RIFF\x64\x3f\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00"
      "\x80\x3e\x00\x00\x02\x00\x10\x00"
      "data\x80\x3e\x00\x00",
      44);
  sound.resize(44 + 16000);
  EXPECT_THAT(error_of([&] { open_video(folder.write("a.wav", sound), 1); }),
              HasSubstr("a.wav: holds no video stream (FFmpeg takes it for wav)"));

  MadeVideo strange;
  strange.container = "avi";
  write_video(folder / "a.avi", strange.frames(10));
  std::string bytes = contents_of(folder / "a.avi");
  for (size_t at; (at = bytes.find("FMP4")) != std::string::npos;) bytes.replace(at, 4, "?!?!");
  EXPECT_THAT(error_of([&] { open_video(folder.write("b.avi", bytes), 1); }),
              HasSubstr("b.avi: its video cannot be decoded (FFmpeg has no decoder for"));

  EXPECT_THAT(error_of([&] { open_video(folder.write("c.mp4", "hello"), 1); }),
              HasSubstr("c.mp4: is not a video"));
  EXPECT_THAT(error_of([&] { open_video(folder / "none.mp4", 1); }), HasSubstr("none.mp4"));
}

TEST(VideoReader, SaysWhenNoFrameCanBeDecoded) {
  const TemporaryFolder folder;
  MadeVideo video;
  video.options = {{"movflags", "faststart"}};
  write_video(folder / "a.mp4", video.frames(30));
  std::string bytes = contents_of(folder / "a.mp4");
  const size_t data = bytes.find("mdat");
  ASSERT_NE(data, std::string::npos);
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(data) + 4, bytes.end(), '\xff');
  EXPECT_THAT(error_of([&] { open_video(folder.write("b.mp4", bytes), 1); }),
              HasSubstr("b.mp4: no frame of its video can be decoded"));
}

TEST(VideoReader, PreparesOnlyTheFramesOfClips) {
  const TemporaryFolder folder;
  MadeVideo video;
  video.time_base = {1, 60};
  write_video(folder / "a.mp4", video.frames(240));
  NumbersEncoder encoder(kTsp);
  ClipStream stream(open_video(folder / "a.mp4", 1), encoder);
  while (stream.next()) {
  }
  EXPECT_EQ(stream.frames(), 240);
  EXPECT_LE(encoder.prepared, 64);
  EXPECT_NEAR(stream.duration(), 4, 1e-6);
}

TEST(VideoReader, CanBeLeftInTheMiddle) {
  const TemporaryFolder folder;
  MadeVideo video;
  write_video(folder / "a.mp4", video.frames(300));
  NumbersEncoder encoder(kTsp);
  ClipStream stream(open_video(folder / "a.mp4", 2), encoder);
  EXPECT_TRUE(stream.next().has_value());
}

}  // namespace pdvc
