// The transformer: an encoder over time, a decoder that turns queries into events at once.
#pragma once

#include <optional>

#include "runtime/attention.h"

namespace pdvc {

// Runs the encoder's layers over the memory, in place.
void encode(std::span<const EncoderLayer> layers, int64_t heads, Memory& memory,
            Workspace& workspace);

// The queries of a batch, end to end, and where they look at first.
struct Queries {
  std::vector<RowRange> videos;
  std::vector<Reference> references;
  float* positions = nullptr;  // [query, hidden]
  float* targets = nullptr;    // [query, hidden]

  int64_t rows() const { return static_cast<int64_t>(references.size()); }
};

// Gives the box of a query: a head's layers, run on all of them.
class BoxRule {
 public:
  virtual ~BoxRule() = default;
  // Boxes of all queries after decoder layer `layer`, from hidden [query, hidden].
  virtual std::vector<Reference> boxes(const float* hidden, std::span<const Reference> references,
                                       size_t layer, Workspace& workspace) const = 0;
};

// What the last decoder layer leaves behind.
struct Decoded {
  float* hidden = nullptr;            // [query, hidden], in the arena
  std::vector<Reference> references;  // where that layer looked
};

// Runs the decoder's layers. With `refine`, each layer but the first looks where the boxes of the
// one before are.
Decoded decode(std::span<const DecoderLayer> layers, int64_t heads, const Queries& queries,
               const Memory& memory, const BoxRule* refine, Workspace& workspace);

}  // namespace pdvc
