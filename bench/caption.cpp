// What captioning features costs: T = 100, 10 queries, 30 words for every caption, 5,748 words to
// choose from; one video at a time and in batches; against the arithmetic floor, the memory floor
// and the original.
#include <fmt/format.h>

#include <cstring>
#include <random>

#include "base/error.h"
#include "base/parallel.h"
#include "measure.h"
#include "runtime/engine.h"
#include "support/random_source.h"

namespace pdvc {
namespace {

constexpr int64_t kWords = 30;

ModelSettings settings_of(CaptionerKind captioner) {
  ModelSettings s;
  s.queries = 10;
  s.refine_boxes = true;
  s.captioner = captioner;
  s.caption_heads = 1;
  s.attention_width = 512;
  return s;
}

// Sentences never end by themselves.
ModelSource endless(const ModelSettings& settings) {
  ModelSource source = random_source({.model = settings}, made_up_words(settings), 1);
  source.weights = [given = source.weights](const std::string& name) {
    std::vector<float> weights = given(name).copied();
    if (name == "caption_head.0.logit.bias") weights[0] = -1e9f;
    return weights;
  };
  return source;
}

struct Videos {
  std::vector<std::vector<float>> features;
  std::vector<VideoInput> inputs;

  Videos(size_t count, const ModelSettings& s) {
    std::mt19937 generator(2);
    std::normal_distribution<float> normal;
    for (size_t v = 0; v < count; ++v) {
      std::vector<float> rows(static_cast<size_t>(s.frames * s.feature_width));
      for (float& x : rows) x = normal(generator);
      features.push_back(std::move(rows));
    }
    for (const auto& rows : features) inputs.push_back({.features = rows, .duration = 100});
  }
};

// Multiplications and additions that one video needs. Words' own gates are not among them: they are
// kept from word to word and video to video.
double flops_of(const ModelSettings& s) {
  const auto c = static_cast<double>(s.hidden), f = static_cast<double>(s.feature_width),
             q = static_cast<double>(s.queries);
  const double t[] = {100, 50, 25, 13}, positions = 188;
  const double input = t[0] * f * c + t[1] * 3 * f * c + (t[2] + t[3]) * 3 * c * c;
  const double encoder = 2 * (positions * c * 256 + 4 * positions * c * c);
  const double decoder = 2 * (q * c * 256 + positions * c * c + q * c * c * (4 + 1 + 2 + 2));
  const auto vocabulary = static_cast<double>(s.vocabulary_size + 1);
  const bool standard = s.captioner == CaptionerKind::standard;
  const double word = c * 4 * c * (standard ? 2 : 1) + c * vocabulary + (standard ? c * 528 : 0);
  const double caption = q * (static_cast<double>(kWords) * word + c * 4 * c);
  return 2 * (input + encoder + decoder + caption + (standard ? 2 * positions * c * c : 0));
}

// Bytes of weights that every word needs, whatever the batch: all but the word's own gates, which
// are kept.
double bytes_per_word(const ModelSettings& s, double bytes_per_weight) {
  const auto c = static_cast<double>(s.hidden);
  const bool standard = s.captioner == CaptionerKind::standard;
  const double weights = c * 4 * c * (standard ? 2 : 1) +
                         c * static_cast<double>(s.vocabulary_size + 1) + (standard ? c * 528 : 0);
  return weights * bytes_per_weight;
}

// What the machine can do, measured between the contestants.
class Machine {
 public:
  explicit Machine(Workspace& workspace)
      : workspace_(workspace),
        square_(std::vector<float>(kSize * kSize, 0.5f), {}, kSize, {.typical_rows = kSize}),
        x_(static_cast<size_t>(workspace.team.size()) * kSize * kSize, 0.5f),
        y_(x_.size()),
        block_(kBlock, 1) {}

  void multiply() {
    workspace_.team.run([&](int thread) {
      const auto offset = static_cast<size_t>(thread) * kSize * kSize;
      square_.run(x_.data() + offset, y_.data() + offset, kSize, workspace_.scratch(thread));
    });
  }
  double multiply_flops() const { return 2.0 * kSize * kSize * kSize * workspace_.team.size(); }
  void read() {
    workspace_.split(static_cast<int64_t>(block_.size()), [&](int64_t first, int64_t last, int) {
      uint64_t sum = 0;
      for (int64_t i = first; i < last; ++i) sum += block_[static_cast<size_t>(i)];
      sink_ = sum;
    });
  }
  double read_bytes() const { return static_cast<double>(block_.size() * sizeof(uint64_t)); }

 private:
  static constexpr int64_t kSize = 1024;
  static constexpr size_t kBlock = size_t{32} << 20;  // 256 MB: more than any cache

  Workspace& workspace_;
  Dense square_;
  std::vector<float> x_, y_;
  std::vector<uint64_t> block_;
  volatile uint64_t sink_ = 0;
};

std::vector<std::string> sentences_of(const std::vector<VideoPredictions>& videos) {
  std::vector<std::string> sentences;
  for (const VideoPredictions& video : videos)
    for (const Event& event : video.queries) sentences.push_back(event.sentence);
  return sentences;
}

// A batch must say what each of its videos gets alone.
void check_batch(const Engine& engine, const Videos& videos, Workspace& workspace) {
  const auto together = sentences_of(engine.predict(videos.inputs, false, {}, workspace));
  std::vector<std::string> alone;
  for (const VideoInput& video : videos.inputs)
    for (const std::string& sentence :
         sentences_of(engine.predict({&video, 1}, false, {}, workspace)))
      alone.push_back(sentence);
  check(together == alone, "a batch and its videos alone differ");
}

void report(const char* name, CaptionerKind captioner, DensePrecision precision,
            double bytes_per_weight, double original_seconds, int threads) {
  const ModelSettings settings = settings_of(captioner);
  const Engine engine(endless(settings), {.precision = precision, .threads = threads});
  Workspace workspace(threads);
  const Videos few(4, settings), one(1, settings), eight(8, settings), many(32, settings);
  if (precision == DensePrecision::f32) check_batch(engine, few, workspace);
  Machine machine(workspace);
  const auto caption = [&](const Videos& videos) {
    return [&] { engine.predict(videos.inputs, false, {}, workspace); };
  };
  const auto seconds = best_seconds(6, {caption(one), caption(eight), caption(many),
                                        [&] { machine.multiply(); }, [&] { machine.read(); }});
  const double throughput = machine.multiply_flops() / seconds[3],
               bandwidth = machine.read_bytes() / seconds[4];
  const double work = flops_of(settings),
               bytes = bytes_per_word(settings, bytes_per_weight) * static_cast<double>(kWords);
  const double scaled = original_seconds * 225e9 / throughput;
  fmt::print("{}: {:.2f} GFLOP a video; oneDNN f32 reaches {:.0f} GFLOP/s, memory {:.1f} GB/s\n",
             name, work / 1e9, throughput / 1e9, bandwidth / 1e9);
  const size_t counts[] = {1, 8, 32};
  for (size_t i = 0; i < 3; ++i) {
    const double each = seconds[i] / static_cast<double>(counts[i]);
    fmt::print(
        "  batch {:2}: {:6.2f} ms a video, {:.2f} of the arithmetic floor, {:.2f} of the memory "
        "floor; {:.3f} of the original's {:.2f} s, scaled to {:.2f} s\n",
        counts[i], each * 1e3, each / (work / throughput),
        each / (bytes / static_cast<double>(counts[i]) / bandwidth), each / scaled,
        original_seconds, scaled);
  }
}

}  // namespace
}  // namespace pdvc

int main() try {
  using pdvc::CaptionerKind;
  using pdvc::DensePrecision;
  const int threads = pdvc::available_threads();
  fmt::print("captioning features on {} threads\n", threads);
  struct Precision {
    const char* name;
    DensePrecision precision;
    double bytes;
  };
  for (const Precision& p : {Precision{"f32", DensePrecision::f32, 4},
                             {"bf16", DensePrecision::bf16, 2},
                             {"int8", DensePrecision::int8, 1}}) {
    pdvc::report(fmt::format("light {}", p.name).c_str(), CaptionerKind::light, p.precision,
                 p.bytes, 0.23, threads);
    pdvc::report(fmt::format("standard {}", p.name).c_str(), CaptionerKind::standard, p.precision,
                 p.bytes, 0.34, threads);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_caption: {}\n", error.what());
  return 1;
}
