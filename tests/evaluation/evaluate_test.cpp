// Whole evaluations of a few videos written by hand.
#include "evaluation/evaluate.h"

#include <gmock/gmock.h>

#include <cmath>

#include "evaluation/bootstrap.h"
#include "support/meteor_files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Event event(double start, double end, std::string sentence) {
  return {.segment = {start, end}, .sentence = std::move(sentence)};
}

VideoEvents video(std::string name, std::vector<Event> events) {
  return {.video = std::move(name), .events = std::move(events)};
}

// Two annotators; the second knows only one of the videos.
EvaluationInput small_input() {
  EvaluationInput input;
  input.references = {
      {"one.json",
       {video("v_a", {event(0, 10, "A man runs."), event(20, 30, "He jumps over a box.")}),
        video("v_b", {event(0, 5, "A dog sleeps.")})}},
      {"two.json", {video("v_a", {event(0, 30, "Somebody is doing sports outside.")})}}};
  input.systems = {{"system.json",
                    {video("v_a", {event(0, 10, "A man runs."), event(50, 60, "A cat sits.")}),
                     video("v_elsewhere", {event(0, 1, "Nothing.")})}}};
  return input;
}

EvaluationPlan plan_without_meteor() { return {.soda = {SodaKind::c, SodaKind::d}}; }

SystemResult only_result(const EvaluationInput& input) {
  return evaluate(input, plan_without_meteor()).at(0);
}

DenseSummary dense_of(const EvaluationInput& input) {
  return scores_of(only_result(input).total()).dense[1];
}

}  // namespace

TEST(Evaluate, GoesThroughTheVideosOfAllReferences) {
  const SystemResult result = only_result(small_input());
  ASSERT_EQ(result.videos.size(), 2);
  EXPECT_EQ(result.videos[0].video, "v_a");
  EXPECT_EQ(result.videos[0].events, 3);
  EXPECT_EQ(result.videos[0].predictions, 2);
  EXPECT_THAT(result.unknown, ElementsAre("v_elsewhere"));
  const VideoCounts counts = count_videos(result);
  EXPECT_EQ(counts.references, 2);
  EXPECT_EQ(counts.with_predictions, 1);
  EXPECT_EQ(counts.events, 4);
  EXPECT_THAT(counts.missing, ElementsAre("v_b"));
}

TEST(Evaluate, TakesTheBestAnnotatorForRecallAndForPrecision) {
  const DenseSummary dense = dense_of(small_input());
  // v_a: the second annotator's only event is covered by a third of it, else half of the first
  // one's; half of the predictions fit either. v_b: nothing.
  EXPECT_NEAR(dense.thresholds[0][kDenseRecall], 0.5, 1e-12);
  EXPECT_NEAR(dense.thresholds[1][kDenseRecall], 0.25, 1e-12);
  EXPECT_NEAR(dense.mean[kDensePrecision], 0.25, 1e-12);
  EXPECT_NEAR(dense.f1, 2 * 0.3125 * 0.25 / (0.3125 + 0.25), 1e-12);
}

TEST(Evaluate, ComparesWithEveryOverlappingEventAndElseWithGarbage) {
  // At 0.3: "a man runs" with both annotators' events, "a cat sits" with one unknown word.
  EvaluationInput input = small_input();
  const double brevity = 1;  // 9 words against 3 + 5 + 1
  EXPECT_NEAR(dense_of(input).thresholds[0][0], 3.0 / 9 * brevity / 2, 1e-8);
  // At 0.5 the second annotator's event is too long.
  EXPECT_NEAR(dense_of(input).thresholds[1][0], 3.0 / 6 / 2, 1e-8);
}

TEST(Evaluate, OverlapEqualToTheThresholdCountsForCaptionsButNotForRecall) {
  EvaluationInput input;
  input.references = {{"r", {video("v", {event(0, 10, "a man runs")})}}};
  // (10 - 1e-8 * 0.5 ...) is too fine to write down: a prediction whose IoU is exactly the double
  // 0.5.
  input.systems = {{"s", {video("v", {event(0, 5 + 5e-9, "a man runs")})}}};
  const double iou = evaluation_iou({0, 10}, {0, 5 + 5e-9});
  ASSERT_EQ(iou, 0.5);
  const DenseSummary dense = dense_of(input);
  EXPECT_NEAR(dense.thresholds[1][0], 1, 1e-8);
  EXPECT_EQ(dense.thresholds[1][kDenseRecall], 0);
}

TEST(Evaluate, CountsTheFirstThousandPredictions) {
  EvaluationInput input;
  input.references = {{"r", {video("v", {event(0, 10, "a man runs")})}}};
  std::vector<Event> predictions(1000, event(50, 60, "nothing"));
  predictions.push_back(event(0, 10, "a man runs"));
  input.systems = {{"s", {video("v", predictions)}}};
  EXPECT_EQ(dense_of(input).mean[kDenseRecall], 0);
  EXPECT_EQ(dense_of(input).mean[kDensePrecision], 0);
}

TEST(Evaluate, GivesAnEmptyListZero) {
  EvaluationInput input = small_input();
  input.systems = {{"s", {video("v_a", {})}}};
  const Scores scores = scores_of(only_result(input).total());
  for (size_t m = 0; m < kDenseMetrics.size(); ++m)
    EXPECT_EQ(m == kDenseMeteor ? 0 : scores.dense[0].mean[m], 0) << kDenseMetrics[m];
  EXPECT_EQ(scores.soda[3].f1, 0);
}

TEST(Evaluate, SaysWhatItCouldNotComputeWithoutMeteor) {
  const Scores scores = scores_of(only_result(small_input()).total());
  EXPECT_TRUE(std::isnan(scores.dense[0].mean[kDenseMeteor]));
  EXPECT_TRUE(std::isnan(scores.soda[static_cast<size_t>(SodaKind::c)].f1));
  EXPECT_TRUE(std::isfinite(scores.soda[static_cast<size_t>(SodaKind::d)].f1));
}

TEST(Evaluate, AveragesSodaOverAnnotatorsAndVideosWithPredictions) {
  const SodaSummary soda =
      scores_of(only_result(small_input()).total()).soda[static_cast<size_t>(SodaKind::d)];
  EXPECT_NEAR(soda.annotators[0].f1, 2 * 1.0 / (2 + 2), 1e-8);
  EXPECT_NEAR(soda.annotators[1].f1, 2 * (1.0 / 3) / (1 + 2), 1e-8);
  EXPECT_NEAR(soda.f1, (0.5 + 2.0 / 9) / 2, 1e-8);
  EXPECT_NEAR(soda.micro[0], 0.5, 1e-8);
}

TEST(Evaluate, IgnoresTheOrderOfPredictionsInSoda) {
  EvaluationInput input = small_input();
  std::ranges::reverse(input.systems[0].videos[0].events);
  const auto d = static_cast<size_t>(SodaKind::d);
  EXPECT_EQ(scores_of(only_result(input).total()).soda[d].f1,
            scores_of(only_result(small_input()).total()).soda[d].f1);
}

TEST(Evaluate, ScoresParagraphsOfVideosWithAndWithoutPrefix) {
  EvaluationInput input;
  input.paragraphs = {{{"v_a", "A man runs! He jumps."}, {"v_b", "A dog."}},
                      {{"a", "Somebody is running."}}};
  input.systems = {{"s", {video("a", {event(5, 6, "A man runs"), event(0, 1, "he jumps.")})}}};
  const SystemResult result = only_result(input);
  ASSERT_EQ(result.videos.size(), 2);
  EXPECT_EQ(result.videos[0].sums.paragraph.bleu.correct[0], 5);  // file order, not by time
  EXPECT_EQ(result.videos[0].sums.paragraph.bleu.correct[3], 2);
  EXPECT_EQ(result.videos[1].sums.paragraph.bleu.length, 0);
  EXPECT_EQ(count_videos(result).references, 0);
  EXPECT_EQ(count_videos(result).paragraphs, 2);
  EXPECT_EQ(count_videos(result).predicted_paragraphs, 1);
  const Scores scores = scores_of(result.total());
  EXPECT_GT(scores.paragraph[0], 0.5);
  EXPECT_TRUE(std::isnan(scores.paragraph[4]));
}

TEST(Evaluate, JoinsParagraphsWithTheirVideo) {
  EvaluationInput input = small_input();
  input.paragraphs = {{{"v_b", "A dog sleeps."}, {"v_c", "A cat."}}};
  const SystemResult result = only_result(input);
  ASSERT_EQ(result.videos.size(), 3);
  EXPECT_EQ(result.videos[1].sums.paragraph.videos, 1);
  EXPECT_EQ(result.videos[2].video, "v_c");
}

TEST(Evaluate, DoesNotDependOnThreadsOrOtherSystems) {
  EvaluationInput input;
  input.references = {{"r", {}}};
  input.systems = {{"s", {}}, {"t", {}}};
  for (int v = 0; v < 50; ++v) {
    const std::string name = "v_" + std::to_string(v);
    const std::string text = "a man " + std::to_string(v % 7) + " runs over " + std::to_string(v);
    input.references[0].videos.push_back(
        video(name, {event(0, v + 1, text), event(v, v + 3, "x y")}));
    input.systems[0].videos.push_back(
        video(name, {event(0, v + 2, text + " now"), event(1, 2, "x")}));
    input.systems[1].videos.push_back(
        video(name, {event(1, v + 1, "a man"), event(v, v + 3, text)}));
  }
  EvaluationPlan plan = plan_without_meteor();
  const auto one = evaluate(input, plan);
  plan.threads = 4;
  input.systems.pop_back();
  const auto four = evaluate(input, plan);
  const Scores a = scores_of(one[0].total()), b = scores_of(four[0].total());
  for (const size_t m : {size_t{0}, size_t{3}, kDenseRouge, kDenseCider, kDenseRecall})
    EXPECT_EQ(a.dense[0].mean[m], b.dense[0].mean[m]) << kDenseMetrics[m];
  EXPECT_EQ(a.soda[3].f1, b.soda[3].f1);
}

// METEOR with a few words of its own.
class EvaluateWithMeteor : public testing::Test {
 protected:
  double meteor(const std::string& reference, const std::string& hypothesis) const {
    return meteor_score(
        scorer_.statistics(scorer_.prepare(reference), scorer_.prepare(hypothesis)));
  }
  Scores scores_of_input(const EvaluationInput& input) const {
    const auto results = evaluate(input, {.meteor = &scorer_});
    return scores_of(results.at(0).total());
  }

  const std::string data_ = SmallMeteorFiles().data();
  const MeteorScorer scorer_{MeteorData::parse(as_bytes(data_), "small")};
};

TEST_F(EvaluateWithMeteor, ComparesPredictionsWithReferences) {
  EvaluationInput input;
  input.references = {{"r", {video("v", {event(0, 10, "The man runs.")})}}};
  input.systems = {{"s", {video("v", {event(0, 10, "A fellow ran of the wolf!")})}}};
  const double expected = meteor("the man runs", "a fellow ran of the wolf");
  ASSERT_NE(expected, meteor("a fellow ran of the wolf", "the man runs"));
  EXPECT_NEAR(scores_of_input(input).dense[0].mean[kDenseMeteor], expected, 1e-12);
}

TEST_F(EvaluateWithMeteor, HandsSodaThePredictionAsReference) {
  EvaluationInput input;
  input.references = {{"r", {video("v", {event(0, 10, "The man runs.")})}}};
  input.systems = {{"s", {video("v", {event(0, 10, "A fellow ran of the wolf!")})}}};
  EXPECT_NEAR(scores_of_input(input).soda[2].f1,
              meteor("a fellow ran of the wolf", "the man runs") * evaluation_iou({0, 10}, {0, 10}),
              1e-12);
}

// Found by SODA's published numbers for a file with "triple A."
TEST_F(EvaluateWithMeteor, ReadsTheEndOfACaptionInTheLightOfTheNext) {
  EvaluationInput input;
  input.references = {{"r", {video("v", {event(0, 10, "Of plan B."), event(20, 30, "The man.")})}}};
  input.systems = {{"s", {video("v", {event(0, 10, "of plan b"), event(20, 30, "The man.")})}}};
  const Scores scores = scores_of_input(input);
  const double both = meteor("of plan b", "of plan b") + meteor("the man", "the man");
  EXPECT_NEAR(scores.soda[2].f1, both / 2, 1e-8);
  EXPECT_NEAR(scores.dense[0].thresholds[0][0], 1, 1e-8);
}

TEST_F(EvaluateWithMeteor, TellsTheTwoReleasesApartByTheirGarbage) {
  EvaluationInput input;
  input.references = {{"r", {video("v", {event(0, 10, "The man runs.")})}}};
  input.systems = {
      {"s", {video("v", {event(0, 10, "The man runs."), event(50, 60, "The man runs.")})}}};
  const Scores scores = scores_of_input(input);
  // Four words that are not matched weigh more than one.
  EXPECT_LT(scores.dense[0].mean[kDenseMeteor], scores.dense[1].mean[kDenseMeteor]);
  EXPECT_EQ(scores.dense[0].mean[kDenseCider], scores.dense[1].mean[kDenseCider]);
}

TEST_F(EvaluateWithMeteor, TakesTheBestReferenceOfAParagraph) {
  EvaluationInput input;
  input.paragraphs = {{{"v_a", "A dog."}}, {{"v_a", "The man runs."}}};
  input.systems = {{"s", {video("v_a", {event(0, 10, "The man runs")})}}};
  EXPECT_NEAR(scores_of_input(input).paragraph[4], meteor("the man runs", "the man runs"), 1e-12);
}

TEST_F(EvaluateWithMeteor, ComparesAPairOnceHoweverOftenItIsAsked) {
  MeteorPairs pairs(scorer_);
  const MeteorStatistics* first = &pairs.statistics("a man", "the wolf");
  for (int i = 0; i < 100; ++i) pairs.statistics("a man", std::to_string(i));
  EXPECT_EQ(&pairs.statistics("a man", "the wolf"), first);
  EXPECT_EQ(pairs.score("a man", "the wolf"), meteor("a man", "the wolf"));
  EXPECT_EQ(first->numbers(),
            scorer_.statistics(scorer_.prepare("a man"), scorer_.prepare("the wolf")).numbers());
}

TEST(Paragraph, IsLettersAndSingleSpaces) {
  EXPECT_EQ(paragraph_text("  A man's 2 dogs -- run,\n fast! \xc3\xa9t\xc3\xa9 "),
            "a man s dogs run fast t");
  EXPECT_EQ(paragraph_text("123 ?!"), "");
  const std::vector<std::string> sentences = {"One", " Two."};
  EXPECT_EQ(joined_paragraph(sentences), "one two");
}

TEST(Bootstrap, FindsTheIntervalAroundTheScore) {
  const auto result = evaluate(small_input(), plan_without_meteor());
  const ReportedScores reported{.soda = {SodaKind::d}};
  const auto scores = bootstrap(result, reported, 200, 1, 2);
  const auto headline = headline_scores(scores_of(result[0].total()), reported);
  ASSERT_EQ(scores.at(0).size(), headline.size());
  for (size_t h = 0; h < headline.size(); ++h) {
    if (std::isnan(headline[h].value)) {
      EXPECT_TRUE(std::isnan(scores[0][h].interval.low)) << headline[h].name;
      continue;
    }
    EXPECT_LE(scores[0][h].interval.low, headline[h].value) << headline[h].name;
    EXPECT_GE(scores[0][h].interval.high, headline[h].value) << headline[h].name;
    EXPECT_EQ(scores[0][h].p, 1) << headline[h].name;
  }
}

TEST(Bootstrap, TellsABetterSystemFromTheSameOne) {
  EvaluationInput input;
  input.references = {{"r", {}}};
  input.systems = {{"worse", {}}, {"better", {}}, {"the same", {}}};
  for (int v = 0; v < 40; ++v) {
    const std::string name = "v_" + std::to_string(v);
    input.references[0].videos.push_back(video(name, {event(0, 10, "a man runs")}));
    input.systems[0].videos.push_back(video(name, {event(0, v % 2 ? 10 : 1, "a man")}));
    input.systems[1].videos.push_back(video(name, {event(0, 10, "a man")}));
    input.systems[2].videos.push_back(video(name, {event(0, v % 2 ? 10 : 1, "a man")}));
  }
  const auto results = evaluate(input, plan_without_meteor());
  const auto scores = bootstrap(results, {}, 500, 1, 2);
  const auto headline = headline_scores(scores_of(results[0].total()), {});
  const auto recall = static_cast<size_t>(
      std::ranges::find(headline, "2018 Recall", &HeadlineScore::name) - headline.begin());
  EXPECT_NEAR(scores[1][recall].difference, 0.5, 1e-12);
  EXPECT_LT(scores[1][recall].p, 0.01);
  EXPECT_GT(scores[1][recall].difference_interval.low, 0.2);
  EXPECT_EQ(scores[2][recall].p, 1);
  // The draws depend on the seed alone.
  const auto again = bootstrap(results, {}, 500, 1, 1);
  EXPECT_EQ(again[1][recall].interval.low, scores[1][recall].interval.low);
}

}  // namespace pdvc
