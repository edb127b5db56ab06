// How fast a whole evaluation is: the seconds of the published evaluators on the same files, and
// ours. Numbers are compared before anything is timed.
//
//   bench_evaluation [FOLDER of golden/ and data/, default: the one beside the project]
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/parallel.h"
#include "data/annotations.h"
#include "data/predictions.h"
#include "evaluation/evaluate.h"
#include "measure.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 1e-6;
constexpr int kRounds = 3;

Json read_json(const fs::path& path) {
  const MappedFile file(path);
  return parse_json(as_text(file.bytes()), path.string());
}

// Everything from files, as the command does.
EvaluationInput read_input(const Json& golden, const fs::path& data, Log& log) {
  const std::string predictions = golden["predictions"];
  EvaluationInput input;
  input.systems = {{predictions, {}}};
  for (const std::string name : golden["references"]) input.references.push_back({name, {}});
  if (golden["numbers"].contains("para")) input.paragraphs.resize(2);
  const size_t references = input.references.size();
  parallel_for(
      available_threads(), static_cast<int64_t>(references + input.paragraphs.size() + 1),
      [&](int64_t index) {
        const auto i = static_cast<size_t>(index);
        if (i == 0)
          input.systems[0].videos = read_predictions(data / "predictions" / predictions).videos;
        else if (i <= references)
          input.references[i - 1].videos =
              read_annotations(data / "anet" / input.references[i - 1].name, kReferences, log);
        else
          input.paragraphs[i - references - 1] = read_paragraphs(
              data / "anet/para" / fmt::format("anet_entities_val_{}_para.json", i - references));
      });
  return input;
}

// The kinds of SODA that the originals were run for.
std::vector<SodaKind> soda_kinds(const Json& numbers) {
  std::vector<SodaKind> kinds;
  const Json golden = numbers.value("soda", Json::object());
  for (size_t k = 0; k < kSodaKinds; ++k)
    for (const auto& [key, value] : golden.items())
      if (key.starts_with(names_of(SodaKind{})[k]) && value.is_array()) {
        kinds.push_back(static_cast<SodaKind>(k));
        break;
      }
  return kinds;
}

void check_near(double value, const Json& golden, const std::string& what) {
  check(std::abs(value - golden.get<double>()) <= kTolerance, what, ": expected ",
        golden.get<double>(), ", got ", value);
}

void check_scores(const Json& numbers, const Scores& scores) {
  for (size_t y = 0; y < kYears; ++y) {
    const std::string year(names_of(DenseYear{})[y]);
    if (!numbers.contains(year)) continue;
    for (size_t m = 0; m < kDenseMetrics.size(); ++m)
      if (const std::string metric(kDenseMetrics[m]); numbers[year].contains(metric))
        for (size_t t = 0; t < kThresholds.size(); ++t)
          check_near(scores.dense[y].thresholds[t][m], numbers[year][metric][t], metric);
  }
  if (numbers.contains("soda"))
    check_near(scores.soda[2].annotators[0].f1, numbers["soda"]["c val_1.json"][2], "SODA c");
  if (numbers.contains("para"))
    for (size_t m = 0; m < kParagraphMetrics.size(); ++m)
      check_near(scores.paragraph[m], numbers["para"][std::string(kParagraphMetrics[m])],
                 "paragraph " + std::string(kParagraphMetrics[m]));
}

double total_seconds(const Json& seconds) {
  double sum = 0;
  for (const auto& [part, value] : seconds.items()) sum += value.get<double>();
  return sum;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void bench_file(const std::string& name, const Json& golden, const fs::path& data, Log& log) {
  const auto run = [&] {
    const MeteorScorer meteor(MeteorData::open_cached());
    const EvaluationInput input = read_input(golden, data, log);
    return scores_of(evaluate(input, {.soda = soda_kinds(golden["numbers"]),
                                      .meteor = &meteor,
                                      .threads = available_threads()})[0]
                         .total());
  };
  check_scores(golden["numbers"], run());
  const double ours = best_seconds(kRounds, {[&] { run(); }})[0],
               theirs = total_seconds(golden["seconds"]);
  // Where the originals were run for a part of the scores only, we still compute them all.
  const bool whole = golden["numbers"].contains("soda");
  fmt::print("{}\n  originals {:7.1f} s, pdvc {:6.2f} s: 1/{:.0f}{}\n", name, theirs, ours,
             theirs / ours, whole ? " (limit 1/50, aim 1/100)" : "");
  std::fflush(stdout);
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) {
  pdvc::Log log(std::cerr, "bench_evaluation");
  try {
    const std::filesystem::path shared = count > 1 ? words[1] : PDVC_SHARED;
    const auto golden = shared / "golden/evaluation/scores.json";
    if (!std::filesystem::exists(golden)) {
      fmt::print("skipped: {} is not there\n", golden.string());
      return 0;
    }
    const pdvc::Json scores = pdvc::read_json(golden);
    for (const auto& [name, file] : scores["files"].items())
      pdvc::bench_file(name, file, shared / "data", log);
    fmt::print("peak memory {:.0f} MB (limit 500)\n", pdvc::peak_megabytes());
  } catch (const std::exception& error) {
    log.error(error.what());
    return 1;
  }
}
