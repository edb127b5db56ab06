// Decoding and resizing as r2plus1d_34 needs it, against the ffmpeg program on the same film in the
// same run.
//
//   bench_decode FILM...   default: the films of ../shared that last over five seconds, and a long
//                          one made of them
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/parallel.h"
#include "base/process.h"
#include "measure.h"
#include "video/clip_stream.h"
#include "video/probe.h"
#include "video/resizing_encoder.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;
constexpr double kShortest = 5;

int64_t decode(const std::string& film, int threads) {
  ResizingEncoder encoder;
  ClipStream clips(open_video(film, threads), encoder);
  while (clips.next()) {
  }
  return clips.frames();
}

void run_ffmpeg(const std::vector<std::string>& words) {
  std::vector<std::string> all = {"ffmpeg", "-nostdin", "-y", "-v", "error"};
  all.insert(all.end(), words.begin(), words.end());
  const ProcessResult result = run_process(all);
  check(result.code == 0, "ffmpeg failed: ", result.output);
}

// The first frame must be the one that ffmpeg sees.
void check_same(const std::string& film, const fs::path& folder) {
  const std::string raw = folder / "frame.rgb";
  run_ffmpeg({"-i", film, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", raw});
  const MappedFile file(raw);
  const auto reader = open_video(film, 1);
  check(reader->next(), film, ": no frame");
  Picture picture;
  reader->picture({}, picture);
  const auto row = static_cast<size_t>(picture.size.width * 3);
  check(file.bytes().size() == row * static_cast<size_t>(picture.size.height), film,
        ": the first frame has another size");
  double distance = 0;
  for (int64_t y = 0; y < picture.size.height; ++y)
    for (size_t i = 0; i < row; ++i)
      distance += std::abs(picture.row(y)[i] -
                           static_cast<int>(file.bytes()[static_cast<size_t>(y) * row + i]));
  check(distance / static_cast<double>(file.bytes().size()) < 2, film,
        ": the first frame looks different");
}

// Of this program, or of those it has run: less noisy than time where others use the machine.
double processor_seconds(int whose) {
  rusage usage{};
  getrusage(whose, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void report(const std::string& film, const fs::path& folder, int threads) {
  check_same(film, folder);
  const int64_t frames = decode(film, threads);
  const double own = processor_seconds(RUSAGE_SELF), others = processor_seconds(RUSAGE_CHILDREN);
  const auto seconds = best_seconds(
      kRounds, {[&] { decode(film, threads); },
                [&] {
                  run_ffmpeg({"-i", film, "-vf", "fps=15,scale=171:128", "-f", "null", "-"});
                }});
  fmt::print(
      "{}: {} frames in {:.0f} ms, {:.0f} a second; ffmpeg {:.0f} ms: {:.2f} of its speed "
      "(limit 0.8); of processor time {:.0f} ms to {:.0f}\n",
      fs::path(film).filename().string(), frames, seconds[0] * 1e3,
      static_cast<double>(frames) / seconds[0], seconds[1] * 1e3, seconds[1] / seconds[0],
      (processor_seconds(RUSAGE_SELF) - own) / kRounds * 1e3,
      (processor_seconds(RUSAGE_CHILDREN) - others) / kRounds * 1e3);
}

std::vector<std::string> default_films(const fs::path& folder) {
  std::vector<std::string> films;
  const fs::path shared = fs::path(PDVC_SHARED) / "data/video";
  check(fs::exists(shared), "no films (give some, or have ../shared beside the project)");
  for (const auto& entry : fs::directory_iterator(shared))
    if (probe_video(entry.path()).duration.value_or(0) > kShortest) films.push_back(entry.path());
  std::ranges::sort(films);
  // Long enough for ffmpeg's own start not to count.
  const std::string longer = folder / "long.mp4";
  run_ffmpeg({"-stream_loop", "20", "-i", films.back(), "-c", "copy", longer});
  films.push_back(longer);
  return films;
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) try {
  std::string folder = std::filesystem::temp_directory_path() / "pdvc-bench-XXXXXX";
  pdvc::check(mkdtemp(folder.data()) != nullptr, folder, ": cannot be made");
  const int threads = pdvc::available_threads();
  std::vector<std::string> films(words + 1, words + count);
  if (films.empty()) films = pdvc::default_films(folder);
  fmt::print("decoding and resizing on {} threads\n", threads);
  for (const std::string& film : films) pdvc::report(film, folder, threads);
  std::filesystem::remove_all(folder);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_decode: {}\n", error.what());
  return 1;
}
