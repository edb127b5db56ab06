// What callers of the public interface ask for, checked and in the runtime's terms.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/settings.h"
#include "pdvc/pdvc.h"
#include "runtime/memory.h"
#include "runtime/search.h"
#include "runtime/selection.h"
#include "tensor/array.h"

namespace pdvc {

// Throws unless the model can caption all of them.
void check_videos(std::span<const Video> videos, const ModelSettings& settings);

SearchOptions search_options(const CaptionOptions& options, const ModelSettings& settings);
SelectionOptions selection_options(const CaptionOptions& options);

// Videos that go through the model together, by their positions.
struct VideoBatch {
  bool proposals = false;  // they bring their own
  std::vector<size_t> videos;
};
std::vector<VideoBatch> batches_of(std::span<const Video> videos);

// A copy with as many rows as the model was trained with, all values finite.
Array prepared_features(const Features& features, const ModelSettings& settings);
std::vector<Segment> proposals_of(const Video& video);

}  // namespace pdvc
