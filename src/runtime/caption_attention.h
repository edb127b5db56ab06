// What recurrent captioners look at before each word.
#pragma once

#include <memory>

#include "runtime/captioner.h"

namespace pdvc {

// Of one decoding: the memory as this captioner sees it.
class CaptionLook {
 public:
  virtual ~CaptionLook() = default;
  // hidden [row, rnn width]; row i belongs to caption captions[i] -> out [row, attended width]
  virtual void look(const float* hidden, std::span<const int64_t> captions, float* out) = 0;
};

class CaptionAttention {
 public:
  virtual ~CaptionAttention() = default;
  virtual int64_t width() const = 0;  // of what it sees
  virtual std::unique_ptr<CaptionLook> start(const Memory& memory, const CaptionQueries& queries,
                                             int64_t most_rows, Workspace& workspace) const = 0;
};

// Sampled for standard captioners, over all positions for soft ones, null for light ones.
std::unique_ptr<CaptionAttention> read_caption_attention(const LayerReader& reader);

}  // namespace pdvc
