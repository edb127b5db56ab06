// From next-word probabilities to sentences: greedy, or several sentences in a beam.
#pragma once

#include "runtime/captioner.h"

namespace pdvc {

struct SearchOptions {
  int64_t beam = 1;  // sentences kept for each caption; 1 takes the likeliest word each time
  int64_t longest = 30;
};

struct Sentence {
  std::vector<int64_t> words;  // without the end
  double log_probability = 0;  // of the words, without the end's
};

// The sentence of each caption. Of a beam's sentences the one with the best log-probability a word
// (its end counted as one) is taken. A beam ends when as many sentences have ended as it keeps and
// none that goes on is better so far.
std::vector<Sentence> find_sentences(Decoding& decoding, int64_t captions,
                                     const SearchOptions& options);

}  // namespace pdvc
