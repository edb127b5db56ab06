// What training costs beyond its steps: the program on files, with loader, log and checkpoints,
// against the bare step in this process; and what a second worker brings.
//
//   bench_train_loop [PDVC_TRAIN]     default: the one beside this program's folder
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "base/error.h"
#include "base/json.h"
#include "base/parallel.h"
#include "measure.h"
#include "tensor/npy_writer.h"
#include "train_load.h"
#include "training/environment.h"
#include "training/run_folder.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr int kVideos = 24, kEpochs = 3;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.at(values.size() / 2);
}

// Videos like those of the bare step, in files.
class Corpus {
 public:
  explicit Corpus(const Load& load)
      : folder_(fs::temp_directory_path() / fmt::format("pdvc-bench-{}", getpid())) {
    fs::create_directories(folder_ / "features");
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    nlohmann::ordered_json annotations;
    for (int v = 0; v < kVideos; ++v) {
      const std::string name = "v_" + std::to_string(v);
      Array rows(DType::f32, {load.frames, 500});
      for (float& x : rows.floats()) x = normal(random);
      write_npy(folder_ / "features" / (name + ".npy"), rows.view());
      nlohmann::ordered_json& video = annotations[name];
      video = {{"duration", 120.0}};
      for (int64_t e = 0; e < load.events; ++e) {
        video["timestamps"].push_back(
            {10.0 * static_cast<double>(e), 40.0 + 15 * static_cast<double>(e)});
        std::string sentence;
        for (int64_t w = 0; w < load.words; ++w)
          sentence += fmt::format("w{} ", 1 + (e * 31 + w * 7 + v) % 5746);
        video["sentences"].push_back(sentence);
      }
    }
    std::ofstream(folder_ / "train.json") << annotations.dump();
    nlohmann::ordered_json words;
    for (int64_t i = 1; i <= 5747; ++i) words.push_back("w" + std::to_string(i));
    std::ofstream(folder_ / "words.json") << words.dump();
    Settings settings;
    settings.model = settings_of(load);
    settings.matching = {2, 0, 4, 0, 0.25, 2};
    settings.training.epochs = kEpochs;
    settings.training.validate_every = 0;
    settings.files = {.train_captions = folder_ / "train.json",
                      .feature_folders = {folder_ / "features"},
                      .vocabulary = folder_ / "words.json"};
    std::ofstream(folder_ / "settings.yml") << settings_text(settings);
  }
  ~Corpus() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Corpus(const Corpus&) = delete;
  Corpus& operator=(const Corpus&) = delete;

  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

struct Loop {
  double step = 0;     // median seconds from step to step
  double waited = 0;   // longest wait for features once all were read
  std::string memory;  // of each worker
};

Loop run_loop(const std::string& program, const Corpus& corpus, int threads, int workers) {
  const fs::path run = corpus.folder() / fmt::format("run-{}-{}", threads, workers);
  const std::string command =
      fmt::format("'{}' train --config '{}' -o '{}' --threads {} --workers {} --quiet", program,
                  (corpus.folder() / "settings.yml").string(), run.string(), threads, workers);
  check(std::system(command.c_str()) == 0, "pdvc-train failed");
  Loop loop;
  std::vector<double> gaps;
  double before = 0;
  std::ifstream log(run / "log.jsonl");
  for (std::string line; std::getline(log, line);) {
    const Json entry = Json::parse(line);
    if (entry["kind"] != "step") {
      before = 0;  // the end of an epoch writes a checkpoint, which is no step
      continue;
    }
    const double now = entry["seconds"];
    if (before > 0) gaps.push_back(now - before);
    before = now;
    if (entry["epoch"] > 1) loop.waited = std::max(loop.waited, entry["waited"].get<double>());
  }
  loop.step = median(gaps);
  std::ifstream summary(run / "summary.md");
  for (std::string line; std::getline(summary, line);)
    if (const size_t at = line.find("peak memory "); at != std::string::npos)
      loop.memory = line.substr(at + 12);
  fs::remove_all(run);
  return loop;
}

double bare_step(const Load& load) {
  Step step(load);
  for (int i = 0; i < 3; ++i) step.run();
  std::vector<double> seconds;
  for (int i = 0; i < 40; ++i) seconds.push_back(seconds_of([&] { step.run(); }));
  return median(seconds);
}

void report(const std::string& program) {
  const int threads = available_threads();
  for (const CaptionerKind captioner : {CaptionerKind::standard, CaptionerKind::light}) {
    const Load load{.captioner = captioner};
    const Corpus corpus(load);
    const char* name = captioner == CaptionerKind::light ? "light" : "standard";
    const Loop loop = run_loop(program, corpus, threads, 1);
    const double bare = bare_step(load);
    fmt::print(
        "{:9} {:6.1f} ms a step of the program, {:6.1f} ms the bare step, {} threads: {:.2f} of "
        "its "
        "steps a second (limit 0.90); longest wait for features {:.2f} ms; memory {}\n",
        name, loop.step * 1e3, bare * 1e3, threads, bare / loop.step, loop.waited * 1e3,
        loop.memory);
    const Loop one = run_loop(program, corpus, 1, 1), two = run_loop(program, corpus, 2, 2);
    fmt::print(
        "{:9} one worker with one thread {:6.1f} ms a video, two {:6.1f} ms: {:.2f} times as fast "
        "(limit 1.6); memory {}\n",
        name, one.step * 1e3, two.step / 2 * 1e3, 2 * one.step / two.step, two.memory);
  }
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) try {
  pdvc::prefer_fast_blas(words);
  pdvc::keep_freed_memory();
  torch::set_num_threads(pdvc::available_threads());
  const auto here = std::filesystem::canonical("/proc/self/exe").parent_path();
  pdvc::report(count > 1 ? words[1] : (here.parent_path() / "pdvc-train").string());
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_train_loop: {}\n", error.what());
  return 1;
}
