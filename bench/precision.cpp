// What fewer bits change: the golden videos of ../shared captioned in f32, bf16 and int8.
//
//   bench_precision SHARED      share of identical captions and the largest change of a score
#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <iostream>

#include "base/parallel.h"
#include "data/features.h"
#include "data/predictions.h"
#include "data/ranking.h"
#include "data/resample.h"
#include "measure.h"
#include "runtime/engine.h"

namespace pdvc {
namespace {

struct GoldenVideos {
  std::deque<Array> features;
  std::vector<VideoInput> inputs;

  GoldenVideos(const std::filesystem::path& shared, const std::string& name,
               const ModelSettings& settings, Log& log) {
    for (const VideoEvents& video :
         read_predictions(shared / "golden" / name / "predictions.json").videos) {
      std::vector<Array> streams;
      streams.push_back(
          read_feature_file(shared / "golden/toy/features" / (video.video + ".npy"), log));
      features.push_back(joined_streams(streams, settings.frames, video.video));
      inputs.push_back({.features = features.back().floats(), .duration = *video.duration});
    }
  }
};

struct Change {
  int64_t captions = 0, identical = 0;
  double proposal_score = 0, seconds = 0;
};

Change compare(const std::vector<VideoPredictions>& exact,
               const std::vector<VideoPredictions>& other) {
  Change change;
  for (size_t v = 0; v < exact.size(); ++v)
    for (size_t q = 0; q < exact[v].queries.size(); ++q) {
      const Event &a = exact[v].queries[q], &b = other[v].queries[q];
      ++change.captions;
      change.identical += a.sentence == b.sentence;
      change.proposal_score =
          std::max(change.proposal_score, std::abs(*a.proposal_score - *b.proposal_score));
      change.seconds = std::max({change.seconds, std::abs(a.segment.start - b.segment.start),
                                 std::abs(a.segment.end - b.segment.end)});
    }
  return change;
}

void report(const std::filesystem::path& shared, const std::string& name, int threads, Log& log) {
  const ModelSource source =
      open_model(shared / "golden" / name / "model.pth", shared / "golden" / name / "options.json",
                 shared / "data/anet/vocabulary_activitynet.json", log);
  const GoldenVideos videos(shared, name, source.description.settings.model, log);
  Workspace workspace(threads);
  const auto predict = [&](const Engine& engine) {
    return engine.predict(videos.inputs, false, {}, workspace);
  };
  const Engine exact(source, {.threads = threads});
  const auto wanted = predict(exact);
  int64_t words = 0, captions = 0;
  for (const VideoPredictions& video : wanted)
    for (const Event& event : video.queries) {
      words += word_count(event.sentence);
      ++captions;
    }
  fmt::print("{:15} f32: {} captions of {:.1f} words, {:.2f} ms a video in one batch\n", name,
             captions, static_cast<double>(words) / static_cast<double>(captions),
             best_seconds(5, {[&] { predict(exact); }})[0] * 1e3 /
                 static_cast<double>(videos.inputs.size()));
  for (const auto& [label, precision] :
       {std::pair{"bf16", DensePrecision::bf16}, {"int8", DensePrecision::int8}}) {
    const Engine engine(source, {.precision = precision, .threads = threads});
    const Change change = compare(wanted, predict(engine));
    const auto seconds = best_seconds(5, {[&] { predict(exact); }, [&] { predict(engine); }});
    fmt::print(
        "{:15} {}: {} of {} captions identical ({:.1f} %), proposal scores within {:.4f}, times "
        "within {:.2f} s; real lengths, {} videos: {:.1f} ms against {:.1f} ms in f32\n",
        name, label, change.identical, change.captions,
        100.0 * static_cast<double>(change.identical) / static_cast<double>(change.captions),
        change.proposal_score, change.seconds, videos.inputs.size(), seconds[1] * 1e3,
        seconds[0] * 1e3);
  }
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) try {
  const std::filesystem::path shared = count > 1 ? words[1] : "../../../../shared";
  if (!std::filesystem::exists(shared / "golden")) {
    fmt::print("bench_precision: needs the golden models ({})\n", shared.string());
    return 0;
  }
  pdvc::Log log(std::cerr, "bench_precision");
  for (const char* name : {"anet_c3d_pdvc", "anet_c3d_pdvcl"})
    pdvc::report(shared, name, pdvc::available_threads(), log);
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_precision: {}\n", error.what());
  return 1;
}
