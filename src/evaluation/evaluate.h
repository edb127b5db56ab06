// Whole prediction files against whole reference files: every score of every video.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/paragraphs.h"
#include "evaluation/scores.h"
#include "event/event.h"

namespace pdvc {

// Events of many videos and what to call them: an annotator's, or a system's.
struct NamedEvents {
  std::string name;
  std::vector<VideoEvents> videos;
};

struct EvaluationInput {
  std::vector<NamedEvents> references;
  std::vector<NamedEvents> systems;
  std::vector<std::vector<VideoParagraph>> paragraphs;  // of each annotator; none: no such scores
};

struct EvaluationPlan {
  std::vector<SodaKind> soda = {SodaKind::c};
  const MeteorScorer* meteor = nullptr;  // without it what needs METEOR is NaN
  int threads = 1;
  std::function<void()> video_done = [] {};  // called from any thread
};

// One video of one system.
struct VideoResult {
  std::string video;
  int64_t events = 0;       // of all annotators
  int64_t predictions = 0;  // 0: the system left it out, or found nothing
  ScoreSums sums;
};

struct SystemResult {
  std::string name;
  std::vector<VideoResult> videos;   // in the order of the references; the same for every system
  std::vector<std::string> unknown;  // predicted videos that no reference has: they do not count
  ScoreSums total() const;
};

// Results do not depend on the number of threads.
std::vector<SystemResult> evaluate(const EvaluationInput& input, const EvaluationPlan& plan);

// The number of videos that evaluate() goes through.
int64_t count_videos(const EvaluationInput& input);

// How much of the references a system has answered.
struct VideoCounts {
  int64_t references = 0;  // videos of the reference files
  int64_t with_predictions = 0;
  int64_t events = 0, predictions = 0;
  std::vector<std::string> missing;  // videos without predictions
  int64_t paragraphs = 0;            // videos of the paragraph files
  int64_t predicted_paragraphs = 0;  // those for which the system has words
};
VideoCounts count_videos(const SystemResult& system);

}  // namespace pdvc
