// Damaged videos: cut short, and with bytes flipped. They give fewer frames or an error, nothing
// else. PDVC_DAMAGED_VIDEOS is how many cases to try; all of them are 500.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "made_video.h"
#include "resizing_encoder.h"
#include "support/files.h"
#include "video/clip_stream.h"
#include "video/probe.h"

namespace pdvc {
namespace {

constexpr int kUsualCases = 60;

int case_count() {
  const char* wanted = std::getenv("PDVC_DAMAGED_VIDEOS");
  return wanted ? std::atoi(wanted) : kUsualCases;
}

// Real ones where they are, else some made here.
std::vector<std::string> whole_videos(const TemporaryFolder& folder) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::exists(shared_file("data/video"))) {
    for (const auto& entry : std::filesystem::directory_iterator(shared_file("data/video")))
      paths.push_back(entry.path());
    std::ranges::sort(paths);
  } else {
    for (const char* container : {"mp4", "matroska", "avi", "mpegts"}) {
      MadeVideo video;
      video.container = container;
      video.b_frames = 2;
      paths.push_back(folder / container);
      write_video(paths.back(), video.frames(100));
    }
  }
  std::vector<std::string> videos;
  for (const auto& path : paths) videos.push_back(contents_of(path));
  return videos;
}

// Odd rounds over the videos cut them, even ones flip bytes: few or many, anywhere or near the
// start, where headers are.
std::string damaged(std::string video, int round, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](size_t bound) { return random() % std::max<size_t>(bound, 1); };
  if (round % 2 == 1) {
    const size_t twentieth = 1 + (7 * static_cast<size_t>(round / 2)) % 20;  // each once in 20
    video.resize(std::min(video.size(), video.size() * twentieth / 21 + below(64)));
    return video;
  }
  const size_t flips = size_t{1} << below(10);
  const size_t reach = round % 4 == 0 ? video.size() : std::min<size_t>(video.size(), 4096);
  for (size_t i = 0; i < flips; ++i) video[below(reach)] ^= static_cast<char>(1U << below(8));
  return video;
}

}  // namespace

TEST(DamagedVideos, GiveFewerFramesOrAnError) {
  const TemporaryFolder folder;
  const std::vector<std::string> videos = whole_videos(folder);
  int64_t read = 0, refused = 0, skipped = 0;
  for (int i = 0; i < case_count(); ++i) {
    SCOPED_TRACE(i);
    const auto all = static_cast<int>(videos.size());
    const auto& video = videos[static_cast<size_t>(i % all)];
    const auto path =
        folder.write("damaged.mp4", damaged(video, i / all, static_cast<unsigned>(i)));
    try {
      ResizingEncoder encoder;
      ClipStream clips(open_video(path, 2), encoder);
      int64_t count = 0;
      while (clips.next()) ++count;
      EXPECT_GT(clips.frames(), 0);
      EXPECT_GT(count, 0);
      skipped += clips.damaged();
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(path.string()), 0u) << error.what();
      ++refused;
    }
    try {
      probe_video(path);
    } catch (const Error&) {
    }
  }
  RecordProperty("read", static_cast<int>(read));
  RecordProperty("refused", static_cast<int>(refused));
  std::cout << read << " read with " << skipped << " damaged packets, " << refused << " refused\n";
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace pdvc
