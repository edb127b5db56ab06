// What the trainer's half of the project says of some videos, in a file that the runtime's half is
// held to. The two never meet in one process: each brings a libdnnl of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace pdvc {

// The likeliest word at each step, and how near the second likeliest came. Steps are the words and,
// where the sentence ended, its end.
struct RecordedSentence {
  std::vector<int64_t> words;  // without the end
  std::vector<double> log_probabilities;
  std::vector<int64_t> runners_up;
  std::vector<double> margins;  // log-probability of the likeliest above the runner-up's
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedSentence, words, log_probabilities, runners_up, margins)

// What a beam search found, and the least difference that any of its choices hung on.
struct RecordedBeam {
  std::vector<int64_t> words;
  double log_probability = 0;
  double margin = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedBeam, words, log_probability, margin)

struct RecordedQuery {
  double centre = 0, length = 0;  // in shares of the video
  double logit = 0;
  std::vector<RecordedSentence> sentence;  // one, or none where the model has no captioner
  std::vector<RecordedBeam> beam;          // one, or none where it was not searched for
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedQuery, centre, length, logit, sentence, beam)

struct RecordedVideo {
  double duration = 0;
  int64_t rows = 0;
  std::vector<float> features;                       // [row, feature width], before resampling
  std::vector<std::pair<double, double>> proposals;  // start and end in seconds
  std::vector<double> counts;
  std::vector<RecordedQuery> queries;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedVideo, duration, rows, features, proposals, counts,
                                   queries)

constexpr int64_t kRecordedBeam = 3;  // sentences kept when beams are searched

// NAME.safetensors is a model, NAME.json what it says.
inline std::filesystem::path recording_beside(std::filesystem::path model) {
  return model.replace_extension(".json");
}

// Words that tell their ids: a sentence of them is a list of ids.
inline Vocabulary numbered_vocabulary(int64_t size) {
  std::vector<std::string> words;
  for (int64_t id = 1; id <= size; ++id) words.push_back("w" + std::to_string(id));
  return Vocabulary(words);
}

}  // namespace pdvc
