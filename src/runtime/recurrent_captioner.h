// The LSTM captioners: light, and those that look at the memory before each word.
#pragma once

#include "runtime/captioner.h"

namespace pdvc {

std::unique_ptr<Captioner> read_recurrent_captioner(const LayerReader& reader, int64_t parts);

}  // namespace pdvc
