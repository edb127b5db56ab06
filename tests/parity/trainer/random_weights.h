// Weights that make a model say something: words that differ, sentences that end, samples that fall
// outside the video.
#pragma once

#include "model/pdvc.h"

namespace pdvc {

// From Torch's generator, whose seed the caller has set.
void randomize(PdvcImpl& model);

}  // namespace pdvc
