// What a training step costs: forward, backward and optimiser, one video of 100 rows, 10 queries, 4
// events of 13 words.
//
//   bench_train_step
//       times, FLOP/s and the ratio to the original; memory and growth
//   bench_train_step CAPTIONER FRAMES QUERIES WORDS
//       one configuration: milliseconds and megabytes, for the table above
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <torch/torch.h>

#include <cstdlib>

#include "base/error.h"
#include "base/parallel.h"
#include "measure.h"
#include "model/deformable_sampling.h"
#include "train_load.h"
#include "training/environment.h"

namespace pdvc {
namespace {

// Multiplications and additions of all matrix products of one step; backward costs twice the
// forward.
double flops_of(const Load& load) {
  const double c = 512, f = 500, t = static_cast<double>(load.frames),
               q = static_cast<double>(load.queries);
  const double levels[] = {t, std::ceil(t / 2), std::ceil(t / 4), std::ceil(t / 8)};
  const double s = levels[0] + levels[1] + levels[2] + levels[3];
  const double encoder_input =
      levels[0] * f * c + levels[1] * 3 * f * c + (levels[2] + levels[3]) * 3 * c * c;
  const double attention = [&](double from, double to) {
    return from * c * 256 + (from + to) * c * c;
  }(s, s);
  const double encoder = 2 * (attention + 2 * s * c * c);
  const double decoder =
      2 * (4 * q * c * c + q * c * 256 + (s + q) * c * c + 2 * q * c * c + 2 * q * c * c);
  const double words = static_cast<double>(load.events * (load.words + 1)), vocabulary = 5748;
  const bool standard = load.captioner == CaptionerKind::standard;
  const double per_word =
      (c + c) * 4 * c + c * vocabulary + (standard ? c * 4 * c + c * c + 16 * c : 0);
  const double captions = 2 * (words * per_word + static_cast<double>(load.events) * c * 4 * c) +
                          (standard ? 2 * s * c * c : 0);
  return 3 * 2 * (encoder_input + encoder + decoder + captions);
}

// The fast sampling operators against their plain twins, on the shapes of this benchmark.
void check_operators() {
  torch::manual_seed(2);
  const Levels levels(std::vector<int64_t>{100, 50, 25, 13});
  const Tensor values = torch::randn({1, 188, 8, 64}),
               places = torch::rand({1, 188, 8, 4, 4}) * 90 - 5;
  const Tensor weights = torch::rand({1, 188, 8, 4, 4});
  check(torch::allclose(deformable_attend(values, levels, places, weights),
                        composed_deformable_attend(values, levels, places, weights), 1e-3, 1e-4),
        "deformable_attend differs from its twin");
  const Tensor wide = torch::randn({1, 188, 1, 1024}), around = torch::rand({4, 1, 4, 4}) * 90 - 5;
  const Tensor video = torch::zeros({4}, torch::kLong),
               last = torch::tensor({{99, 49, 24, 12}}, torch::kLong);
  check(torch::allclose(border_samples(wide, levels, around, video, last),
                        composed_border_samples(wide, levels, around, video, last), 1e-3, 1e-4),
        "border_samples differs from its twin");
}

// What the machine's matrix units give to oneDNN, the measure of the original's machine, and to the
// BLAS that Torch uses.
struct MatrixSpeed {
  double onednn = 0, blas = 0;  // GFLOP/s
};

void measure(MatrixSpeed& speed) {
  constexpr double kWork = 2.0 * 1024 * 1024 * 1024 / 1e9;
  const Tensor a = torch::randn({1024, 1024}), b = torch::randn({1024, 1024});
  const Tensor packed_a = a.to_mkldnn(), packed_b = b.to_mkldnn();
  const auto seconds =
      best_seconds(10, {[&] { at::mkldnn_linear(packed_a, packed_b); }, [&] { torch::mm(a, b); }});
  speed.onednn = std::max(speed.onednn, kWork / seconds[0]);
  speed.blas = std::max(speed.blas, kWork / seconds[1]);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void report(const char* name, const Load& load, double original_seconds, double original_gflops) {
  Step step(load);
  const double first = step.run();
  for (int i = 0; i < 3; ++i) step.run();
  check(step.run() < first, name, ": the loss does not fall");
  MatrixSpeed speed;
  const auto seconds = best_seconds(8, {[&] { step.run(); }, [&] { measure(speed); }});
  const double work = flops_of(load) / 1e9,
               scaled = original_seconds * original_gflops / speed.onednn;
  fmt::print(
      "{:9} {:6.1f} ms a step; {:.1f} GFLOP, {:.0f} GFLOP/s: {:.2f} of oneDNN's {:.0f} in a "
      "1024-square product, "
      "{:.2f} of BLAS's {:.0f}\n",
      name, seconds[0] * 1e3, work, work / seconds[0], work / seconds[0] / speed.onednn,
      speed.onednn, work / seconds[0] / speed.blas, speed.blas);
  fmt::print(
      "          {:.2f} of the original's {:.2f} s, scaled by oneDNN's throughput to {:.2f} s "
      "(limit 0.25, aim 0.17)\n",
      seconds[0] / scaled, original_seconds, scaled);
}

int run_one(char** words) {
  Load load{.captioner =
                std::string(words[1]) == "light" ? CaptionerKind::light : CaptionerKind::standard};
  load.frames = std::atoll(words[2]);
  load.queries = std::atoll(words[3]);
  load.words = std::atoll(words[4]);
  Step step(load);
  step.run();
  const auto seconds = best_seconds(4, {[&] { step.run(); }});
  fmt::print("{:>6} {:>8} {:>6} {:>9.1f} {:>9.0f}\n", load.frames, load.queries, load.words,
             seconds[0] * 1e3, peak_megabytes());
  return 0;
}

// Each configuration in a process of its own, so that its peak is its own.
void report_growth(const std::string& program) {
  fmt::print("standard: growth\nframes  queries  words  ms/step  peak MB\n");
  std::fflush(stdout);
  for (const char* load : {"100 10 13", "200 10 13", "400 10 13", "800 10 13", "1600 10 13",
                           "100 100 13", "100 10 26"})
    check(std::system((program + " standard " + load).c_str()) == 0, "a configuration failed");
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) try {
  pdvc::prefer_fast_blas(words);
  pdvc::keep_freed_memory();
  const int threads = pdvc::available_threads();
  torch::set_num_threads(threads);
  if (count == 5) return pdvc::run_one(words);
  pdvc::check_operators();
  fmt::print("training step on {} threads\n", threads);
  pdvc::report("standard", {.captioner = pdvc::CaptionerKind::standard}, 1.04, 225);
  pdvc::report("light", {.captioner = pdvc::CaptionerKind::light}, 0.73, 225);
  pdvc::report_growth(words[0]);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_train_step: {}\n", error.what());
  return 1;
}
