#include "data/predictions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "data/ranking.h"
#include "evaluation/evaluate.h"
#include "target.h"

namespace {

// What is read is scored against itself, in another order of sentences, so that everything overlaps
// something. Scores are finite numbers, whatever the text and the times.
void evaluate_predictions(const pdvc::Predictions& predictions) {
  pdvc::EvaluationInput input;
  input.systems = {{"predictions", predictions.videos}};
  input.references = {{"one", predictions.videos}, {"two", {}}};
  input.paragraphs.emplace_back();
  for (pdvc::VideoEvents video : predictions.videos) {
    for (size_t i = 1; i < video.events.size(); ++i)
      std::swap(video.events[i - 1].sentence, video.events[i].sentence);
    input.paragraphs[0].push_back({video.video, pdvc::join_text(video.events.size(), " events.")});
    input.references[1].videos.push_back(std::move(video));
  }
  const auto results = pdvc::evaluate(input, {.soda = {pdvc::SodaKind::d}});
  const pdvc::Scores scores = pdvc::scores_of(results.at(0).total());
  for (size_t m = 0; m < pdvc::kDenseMetrics.size(); ++m)
    if (m != pdvc::kDenseMeteor && !std::isfinite(scores.dense[0].mean[m])) std::abort();
  if (!std::isfinite(scores.soda[3].f1)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    const pdvc::Predictions predictions = pdvc::parse_predictions(pdvc::as_text(bytes), "fuzz");
    for (const pdvc::VideoEvents& video : predictions.videos)
      pdvc::rank_events(video.events, video.predicted_count.value_or(1), {});
    // What is written reads back.
    pdvc::parse_predictions(pdvc::predictions_text(predictions), "written");
    evaluate_predictions(predictions);
  });
}
