#include "video/writer.h"

#include "support/files.h"
#include "video/probe.h"

namespace pdvc {

TEST(FilmWriter, WritesWhatTheProbeReadsBack) {
  const TemporaryFolder folder;
  const auto film = open_film(
      folder / "a.mp4", {.width = 64, .height = 48, .frames_per_second = 30, .comment = "hello"});
  const std::vector<uint8_t> rgb(size_t{64} * 48 * 3, 100);
  for (int i = 0; i < 45; ++i) film->write(rgb);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.mp4"));
  film->finish();
  const VideoInfo info = probe_video(folder / "a.mp4");
  ASSERT_EQ(info.streams.size(), 1);
  EXPECT_EQ(info.streams[0].width, 64);
  EXPECT_EQ(info.streams[0].height, 48);
  EXPECT_EQ(info.streams[0].frames, 45);
  EXPECT_DOUBLE_EQ(info.streams[0].frames_per_second.value_or(0), 30);
  EXPECT_NEAR(info.duration.value_or(0), 1.5, 0.04);
  EXPECT_EQ(info.comment, "hello");
}

TEST(FilmWriter, LeavesNothingBehindWhenItIsNotFinished) {
  const TemporaryFolder folder;
  {
    const auto film = open_film(folder / "a.mp4", {.width = 64, .height = 48});
    film->write(std::vector<uint8_t>(size_t{64} * 48 * 3));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FilmWriter, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto open = [&](const std::string& name, int width) {
    return open_film(folder / name, {.width = width, .height = 48});
  };
  EXPECT_EQ(error_of([&] { open("a.mp4", 63); }),
            (folder / "a.mp4").string() + ": cannot be 63 by 48 pixels (expected even numbers)");
  EXPECT_EQ(error_of([&] { open("no/a.mp4", 64); }),
            (folder / "no/a.mp4").string() + ": cannot be written: No such file or directory");
  EXPECT_EQ(error_of([&] { open("a.mp4", 64)->write({}); }),
            (folder / "a.mp4").string() + ": frame of 0 bytes (expected 9216)");
}

}  // namespace pdvc
