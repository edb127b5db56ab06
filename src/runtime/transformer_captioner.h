// The transformer captioner: words attend to the words before them and to the memory.
#pragma once

#include "runtime/captioner.h"

namespace pdvc {

std::unique_ptr<Captioner> read_transformer_captioner(const LayerReader& reader, int64_t parts);

}  // namespace pdvc
