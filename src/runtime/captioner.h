// Captioners at work: given the words so far, the likeliest next ones.
#pragma once

#include <memory>
#include <vector>

#include "runtime/layers.h"
#include "runtime/memory.h"
#include "runtime/workspace.h"

namespace pdvc {

// The queries to caption, of any video of the batch.
struct CaptionQueries {
  const float* features = nullptr;    // [caption, hidden]
  std::vector<Reference> references;  // where the last decoder layer looked

  int64_t count() const { return static_cast<int64_t>(references.size()); }
};

// A word that may come next.
struct Candidate {
  int64_t word = 0;
  float log_probability = 0;
};

// Sentences in the making, one a row.
class Decoding {
 public:
  virtual ~Decoding() = default;
  // Row i says words[i] (0 to begin) and the `best` likeliest words after it are put into
  // `candidates` [row, best], the likeliest first.
  virtual void advance(std::span<const int64_t> words, int64_t best,
                       std::vector<Candidate>& candidates) = 0;
  // Row i becomes what row from[i] was; there are from.size() rows afterwards.
  virtual void keep(std::span<const int64_t> from) = 0;
};

class Captioner {
 public:
  virtual ~Captioner() = default;
  // One row per query to begin with, later at most `most_rows`. Memory and queries must outlive the
  // decoding, whose numbers are in the workspace's arena.
  virtual std::unique_ptr<Decoding> start(const Memory& memory, const CaptionQueries& queries,
                                          int64_t most_rows, Workspace& workspace) const = 0;
};

// Null for a model that only finds events. `parts`: into how many pieces the matrices that every
// word needs are cut, for as many threads.
std::unique_ptr<Captioner> read_captioner(const LayerReader& reader, int64_t parts);

}  // namespace pdvc
