#include "video/probe.h"

#include "support/files.h"

namespace pdvc {

TEST(VideoProbe, DescribesRealFiles) {
  PDVC_NEEDS_SHARED("data/video/v_GGSY1Qvo990.mp4");
  const VideoInfo info = probe_video(shared_file("data/video/v_GGSY1Qvo990.mp4"));
  ASSERT_FALSE(info.streams.empty());
  EXPECT_EQ(info.streams[0].kind, "video");
  EXPECT_EQ(info.streams[0].codec, "h264");
  EXPECT_GT(info.duration.value_or(0), 1);
}

TEST(VideoProbe, ReadsTheRotationTag) {
  PDVC_NEEDS_SHARED("data/video/rotated_metadata.mp4");
  EXPECT_NE(probe_video(shared_file("data/video/rotated_metadata.mp4")).streams.at(0).rotation, 0);
}

TEST(VideoProbe, RefusesWhatIsNoVideo) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.mp4", "hello");
  EXPECT_EQ(error_of([&] { probe_video(path); }),
            path.string() +
                ": is not a video or any other kind of file that pdvc reads (Invalid data found "
                "when processing input)");
}

TEST(VideoProbe, DoesNotTakeTextOrPicturesForFilms) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.txt", std::string(2000, 'a') + "\n");
  EXPECT_EQ(error_of([&] { probe_video(path); }),
            path.string() + ": holds no video stream (FFmpeg takes it for tty)");
}

// A play list names a file that exists; following it would read what the user did not name.
TEST(VideoProbe, DoesNotFollowPlayLists) {
  PDVC_NEEDS_SHARED("data/video/sample_23976fps.mp4");
  const TemporaryFolder folder;
  std::filesystem::copy(shared_file("data/video/sample_23976fps.mp4"), folder / "inner.mp4");
  const auto list = folder.write("list.ffconcat", "ffconcat version 1.0\nfile inner.mp4\n");
  EXPECT_THROW(probe_video(list), Error);
}

}  // namespace pdvc
