// `pdvc extract --backbone pixels` and `pdvc caption` with the model that ships, from start to
// exit, against the ffmpeg program that only decodes and resizes, on the same film in the same run;
// and a film of shapes against its own length.
//
//   bench_pixels PDVC [FILM...]   default: the program beside this one's folder; the films of
//                                 ../shared that last over five seconds
#include "video/pixels.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/process.h"
#include "data/predictions.h"
#include "measure.h"
#include "shapes/corpus.h"
#include "tensor/npy.h"
#include "video/probe.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;
constexpr double kShortest = 5;

void run(const std::vector<std::string>& words) {
  const ProcessResult result = run_process(words);
  check(result.code == 0, words[0], " failed: ", result.output);
}

class Contest {
 public:
  Contest(std::string program, fs::path folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}

  void report(const std::string& film) const {
    extract(film);
    check_rows(film);
    caption(film);
    check_captions(film);
    const auto seconds =
        best_seconds(kRounds, {[&] { extract(film); }, [&] { caption(film); },
                               [&] {
                                 run({"ffmpeg", "-nostdin", "-v", "error", "-i", film, "-vf",
                                      "fps=15,scale=171:128", "-f", "null", "-"});
                               }});
    fmt::print("{}: ffmpeg {:.0f} ms\n", fs::path(film).filename().string(), seconds[2] * 1e3);
    for (const auto& [what, took] :
         {std::pair{"to features", seconds[0]}, {"to captions", seconds[1]}})
      fmt::print("  {}: {:.0f} ms, {:.0f} times real time, {:.2f} of ffmpeg's speed\n", what,
                 took * 1e3, length(film) / took, seconds[2] / took);
  }

 private:
  static double length(const std::string& film) { return probe_video(film).duration.value_or(0); }

  void extract(const std::string& film) const {
    fs::remove_all(folder_ / "features");
    run({program_, "extract", film, "--backbone", "pixels", "--quiet", "-o", folder_ / "features"});
  }

  void caption(const std::string& film) const {
    run({program_, "caption", film, "--quiet", "-o", folder_ / "captions.json"});
  }

  // Something is said, and within the film.
  void check_captions(const std::string& film) const {
    const auto videos = read_predictions(folder_ / "captions.json").videos;
    check(videos.size() == 1 && !videos[0].events.empty(), film, ": no captions");
    for (const Event& event : videos[0].events)
      check(event.segment.end <= length(film) + 1 && !event.sentence.empty(), film,
            ": an odd caption");
  }

  // A row every eight frames of fifteen a second, all numbers.
  void check_rows(const std::string& film) const {
    const Array rows = read_npy(folder_ / "features" / (fs::path(film).stem().string() + ".npy"));
    const double expected = (length(film) * 15 - 16) / 8 + 1;
    check(std::abs(static_cast<double>(rows.shape()[0]) - expected) < 3, film, ": ",
          rows.shape()[0], " rows (expected about ", expected, ")");
    check(rows.shape()[1] == kPixelsRow, film, ": rows of ", rows.shape()[1], " numbers");
    check(std::ranges::all_of(rows.floats(), [](float x) { return std::isfinite(x); }), film,
          ": a number is not finite");
  }

  std::string program_;
  fs::path folder_;
};

std::vector<std::string> shared_films() {
  std::vector<std::string> films;
  const fs::path shared = fs::path(PDVC_SHARED) / "data/video";
  if (!fs::exists(shared)) return films;
  for (const auto& entry : fs::directory_iterator(shared))
    if (probe_video(entry.path()).duration.value_or(0) > kShortest) films.push_back(entry.path());
  std::ranges::sort(films);
  return films;
}

// A large one at fifteen frames a second.
std::string film_of_shapes(const fs::path& folder) {
  for (const FilmPlan& film : plan_films(100, 1, parse_split("val=1"))) {
    const Scene scene = scene_of(film);
    if (scene.frames_per_second != 15 || scene.width != 256) continue;
    const std::string path = folder / (film.name + ".mp4");
    write_film(scene, path);
    return path;
  }
  fail("no film of shapes at 15 frames a second");
}

int64_t largest_child_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) try {
  std::string folder = std::filesystem::temp_directory_path() / "pdvc-bench-XXXXXX";
  pdvc::check(mkdtemp(folder.data()) != nullptr, folder, ": cannot be made");
  const std::string program =
      count > 1 ? words[1] : std::filesystem::canonical("/proc/self/exe").parent_path() / "../pdvc";
  std::vector<std::string> films(words + std::min(count, 2), words + count);
  if (films.empty()) films = pdvc::shared_films();
  films.push_back(pdvc::film_of_shapes(folder));
  const pdvc::Contest contest(program, folder);
  fmt::print("limits: 0.7 of ffmpeg's speed on real films, 100 times real time on shapes\n");
  for (const std::string& film : films) contest.report(film);
  fmt::print("largest process of all: {} MB\n", pdvc::largest_child_megabytes());
  std::filesystem::remove_all(folder);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_pixels: {}\n", error.what());
  return 1;
}
