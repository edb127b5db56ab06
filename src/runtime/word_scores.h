// From states to words: the layer over the whole vocabulary, cut among threads, and the choice of
// the best.
#pragma once

#include "runtime/captioner.h"
#include "runtime/parts.h"

namespace pdvc {

class WordScores {
 public:
  WordScores(const LayerReader& reader, int64_t parts);

  // The `best` likeliest words after each state [rows, width], the likeliest first.
  void choose(const float* states, int64_t rows, int64_t best, Workspace& workspace,
              std::vector<Candidate>& candidates) const;

 private:
  struct Part {
    Dense layer;
    int64_t first = 0;  // its first word
  };
  std::vector<Part> parts_;
};

}  // namespace pdvc
