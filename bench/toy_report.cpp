// What a model trained on a small corpus has learnt: the share of training captions that it says
// word for word, and a prediction file of what can be said of held-out videos without looking.
//
//   toy_report TRAIN.json VOCABULARY.json LONGEST TRAIN_PREDICTIONS.json VAL.json BASELINE_OUT.json
//
// The baseline says, on average segments, the training caption that has the best mean METEOR
// against the other training captions.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "data/annotations.h"
#include "data/baselines.h"
#include "data/predictions.h"
#include "evaluation/localization.h"
#include "evaluation/meteor.h"
#include "text/caption.h"
#include "text/ptb_tokenizer.h"

namespace pdvc {
namespace {

// Training captions that one of the model's events, at least half over the caption's own, says
// exactly; as the model can say them: lower case, known words.
void report_exact(const std::vector<VideoEvents>& annotated, const Predictions& predictions,
                  const Vocabulary& vocabulary, int64_t longest) {
  std::map<std::string, const VideoEvents*> said;
  for (const VideoEvents& video : predictions.videos) said[video.video] = &video;
  int64_t captions = 0, exact = 0, placed = 0;
  for (const VideoEvents& video : annotated)
    for (const Event& event : video.events) {
      const auto ids = caption_to_ids(event.sentence, vocabulary, longest);
      const std::string wanted = ids_to_caption(std::span(ids).subspan(1), vocabulary);
      ++captions;
      if (!said.contains(video.video)) continue;
      const auto matches = [&](const Event& own) { return own.sentence == wanted; };
      const auto fits = [&](const Event& own) {
        return matches(own) && evaluation_iou(own.segment, event.segment) >= 0.5;
      };
      exact += std::ranges::any_of(said[video.video]->events, matches);
      placed += std::ranges::any_of(said[video.video]->events, fits);
    }
  fmt::print("training captions: {} of {} said exactly ({:.1f} %), {} of them in their place\n",
             exact, captions, 100.0 * static_cast<double>(exact) / static_cast<double>(captions),
             placed);
}

std::string most_central_caption(const std::vector<VideoEvents>& annotated) {
  const MeteorScorer scorer(MeteorData::open_cached());
  std::vector<std::string> captions;
  std::vector<PreparedText> prepared;
  for (const VideoEvents& video : annotated)
    for (const Event& event : video.events) {
      captions.push_back(event.sentence);
      prepared.push_back(scorer.prepare(evaluation_text(event.sentence)));
    }
  double best = -1;
  size_t chosen = 0;
  for (size_t i = 0; i < captions.size(); ++i) {
    double sum = 0;
    for (size_t j = 0; j < captions.size(); ++j)
      if (j != i) sum += meteor_score(scorer.statistics(prepared[j], prepared[i]));
    if (sum > best) {
      best = sum;
      chosen = i;
    }
  }
  return captions.at(chosen);
}

void write_baseline(const std::vector<VideoEvents>& annotated,
                    const std::vector<VideoEvents>& wanted, const std::string& path) {
  const std::string caption = most_central_caption(annotated);
  Predictions predictions{.videos = average_events(annotated, wanted)};
  for (VideoEvents& video : predictions.videos)
    for (Event& event : video.events) event.sentence = caption;
  write_file(path, predictions_text(predictions));
  fmt::print("the baseline says: {}\n", caption);
}

}  // namespace
}  // namespace pdvc

int main(int count, char** words) try {
  pdvc::check(count == 7, "expected six arguments (see the top of the source)");
  pdvc::Log log(std::cerr, "toy_report");
  const auto annotated = pdvc::read_annotations(words[1], pdvc::kTrainingData, log);
  pdvc::report_exact(annotated, pdvc::read_predictions(words[4]), pdvc::Vocabulary::read(words[2]),
                     std::atoll(words[3]));
  pdvc::write_baseline(annotated, pdvc::read_annotations(words[5], pdvc::kReferences, log),
                       words[6]);
} catch (const std::exception& error) {
  fmt::print(stderr, "toy_report: {}\n", error.what());
  return 1;
}
