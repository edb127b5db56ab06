// Whole prediction files against the numbers that the published evaluators printed for them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "data/annotations.h"
#include "data/predictions.h"
#include "evaluation/evaluate.h"
#include "support/files.h"
#include "support/meteor_files.h"

namespace pdvc {
namespace {

constexpr double kTolerance = 1e-6;

// Set-up fetches METEOR's data; without it the rest is checked.
std::optional<MeteorScorer> meteor_if_there() {
  if (!std::filesystem::exists(cached_meteor_data())) return std::nullopt;
  return MeteorScorer(MeteorData::open_cached());
}

Json json_of(const std::filesystem::path& path) {
  return parse_json(contents_of(path), path.string());
}

EvaluationInput input_of(const Json& golden, const std::filesystem::path& folder) {
  RecordingLog log;
  EvaluationInput input;
  const std::string predictions = golden["predictions"];
  input.systems.push_back(
      {predictions, read_predictions(folder / "predictions" / predictions).videos});
  for (const std::string file : golden["references"])
    input.references.push_back({file, read_annotations(folder / "anet" / file, kReferences, log)});
  if (golden["numbers"].contains("para"))
    for (const char* annotator : {"1", "2"})
      input.paragraphs.push_back(read_paragraphs(
          folder / "anet/para" / (std::string("anet_entities_val_") + annotator + "_para.json")));
  return input;
}

// What needs METEOR is not checked without its data.
void expect_near(double value, const Json& golden, const std::string& what) {
  if (std::isnan(value)) return;
  EXPECT_NEAR(value, golden.get<double>(), kTolerance) << what;
}

void expect_dense(const Json& golden, const DenseSummary& dense, const std::string& what) {
  for (size_t m = 0; m < kDenseMetrics.size(); ++m) {
    const std::string metric(kDenseMetrics[m]);
    if (!golden.contains(metric)) continue;
    for (size_t t = 0; t < kThresholds.size(); ++t)
      expect_near(dense.thresholds[t][m], golden[metric][t],
                  join_text(what, " ", metric, " at ", kThresholds[t]));
  }
}

// Keys: "c val_1.json" and "c val_1.json micro f1".
void expect_soda(const Json& golden, const SodaSummary& soda, const std::string& kind,
                 const EvaluationInput& input) {
  for (size_t a = 0; a < input.references.size(); ++a) {
    const std::string key = kind + " " + input.references[a].name;
    if (!golden.contains(key)) continue;
    expect_near(soda.annotators[a].precision, golden[key][0], key);
    expect_near(soda.annotators[a].recall, golden[key][1], key);
    expect_near(soda.annotators[a].f1, golden[key][2], key);
    expect_near(soda.micro[a], golden[key + " micro f1"], key + " micro");
  }
}

void expect_paragraph(const Json& golden, const ParagraphScores& scores) {
  for (size_t m = 0; m < kParagraphMetrics.size(); ++m)
    expect_near(scores[m], golden[std::string(kParagraphMetrics[m])],
                "paragraph " + std::string(kParagraphMetrics[m]));
}

void expect_golden(const Json& golden, const std::filesystem::path& folder,
                   const MeteorScorer* meteor) {
  const EvaluationInput input = input_of(golden, folder);
  const EvaluationPlan plan{.soda = {SodaKind::a, SodaKind::b, SodaKind::c, SodaKind::d},
                            .meteor = meteor,
                            .threads = available_threads()};
  const Scores scores = scores_of(evaluate(input, plan).at(0).total());
  const Json& numbers = golden["numbers"];
  for (size_t y = 0; y < kYears; ++y)
    if (const std::string year(names_of(DenseYear{})[y]); numbers.contains(year))
      expect_dense(numbers[year], scores.dense[y], year);
  for (size_t k = 0; k < kSodaKinds; ++k)
    if (numbers.contains("soda"))
      expect_soda(numbers["soda"], scores.soda[k], std::string(names_of(SodaKind{})[k]), input);
  if (numbers.contains("para")) expect_paragraph(numbers["para"], scores.paragraph);
}

}  // namespace

TEST(PublishedScores, OfAFewVideosStayAsTheyWere) {
  const std::optional<MeteorScorer> meteor = meteor_if_there();
  const Json golden = json_of(test_file("evaluation/small/scores.json"));
  expect_golden(golden["files"]["predictions.json"], test_file("evaluation/small"),
                meteor ? &*meteor : nullptr);
}

// The files of ../shared, each on its own: they take seconds.
class PublishedFile : public testing::TestWithParam<const char*> {};

TEST_P(PublishedFile, HasTheScoresThatThePublishedEvaluatorsGave) {
  PDVC_NEEDS_SHARED("golden/evaluation/scores.json");
  const std::optional<MeteorScorer> meteor = meteor_if_there();
  const Json golden = json_of(shared_file("golden/evaluation/scores.json"));
  ASSERT_EQ(golden["files"].size(), 4);
  expect_golden(golden["files"].at(GetParam()), shared_file("data"), meteor ? &*meteor : nullptr);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedFile,
                         testing::Values("mdvc_gt_val_1.json", "gt_c_val_1.json", "jittered.json",
                                         "mdvc_gt_val_1.json, one reference file, METEOR only"));

}  // namespace pdvc
