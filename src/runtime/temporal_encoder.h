// From features to the levels of the memory, with their position embeddings.
#pragma once

#include "runtime/layers.h"
#include "runtime/memory.h"
#include "runtime/workspace.h"

namespace pdvc {

// [channel] of a sine embedding of x (radians): sines at even, cosines at odd channels, of falling
// frequency.
void sine_embedding(float x, std::span<float> out);

// Memory of the whole batch in the workspace's arena. `level_embedding` [level, hidden] is added to
// the positions.
Memory encode_levels(const TemporalEncoderLayers& layers, std::span<const float> level_embedding,
                     std::span<const VideoInput> videos, int64_t feature_width, int64_t hidden,
                     Workspace& workspace);

}  // namespace pdvc
