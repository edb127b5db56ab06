// Beam search as plainly as it can be said: every sentence is read from its beginning for each new
// word.
#pragma once

#include "model/pdvc.h"
#include "parity/recording.h"

namespace pdvc {

// The sentence of one query of the last layer, of the only video of `outputs`.
RecordedBeam plain_beam(PdvcImpl& model, const ModelOutputs& outputs, const CaptionMemory& memory,
                        int64_t query);

}  // namespace pdvc
