// Attention: softmax, and sampled from the positions of all levels.
#pragma once

#include <span>
#include <vector>

#include "runtime/layers.h"
#include "runtime/memory.h"
#include "runtime/workspace.h"

namespace pdvc {

// Where on a level of `length` positions a reference's sample with this offset reads.
inline float sampling_place(const Reference& reference, float offset, int64_t points,
                            int64_t length) {
  const auto positions = static_cast<float>(length);
  const float centre = reference.centre * positions - 0.5f;
  if (reference.is_point) return centre + offset;
  return centre + offset / static_cast<float>(points) * reference.length * positions * 0.5f;
}

// Rows of one video that may look at each other: queries at keys.
struct AttentionGroup {
  RowRange queries, keys;
};

// What one thread needs to add up rows.
struct AttentionTerms {
  std::vector<const float*> rows;
  std::vector<float> factors;

  void clear() {
    rows.clear();
    factors.clear();
  }
  void add(const float* row, float factor) {
    rows.push_back(row);
    factors.push_back(factor);
  }
};

// One query row [hidden] against a range of keys and values [row, hidden], all heads.
void softmax_query(const float* query, const float* keys, const float* values, RowRange range,
                   int64_t heads, int64_t hidden, AttentionTerms& terms, float* out);

// query [queries, width], key and value [keys, width] -> out [queries, width]
void softmax_attention(const SoftmaxLayers& layers, int64_t heads, const float* query,
                       const float* key, const float* value, std::span<const AttentionGroup> groups,
                       float* out, Workspace& workspace);

// query [references, hidden]: each looks at its own video's memory -> out [references, hidden].
// `groups` say the same by video, for softmax attention.
void attend_memory(const MemoryLayers& layers, int64_t heads, const float* query,
                   std::span<const Reference> references, std::span<const AttentionGroup> groups,
                   const Memory& memory, float* out, Workspace& workspace);

}  // namespace pdvc
