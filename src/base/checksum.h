// A quick checksum against damage (not against malice).
#pragma once

#include <cstdint>

#include "base/mapped_file.h"

namespace pdvc {

// Any changed, added or missing byte changes it with near certainty; reads memory as fast as it
// comes.
uint64_t checksum_of(Bytes bytes);

}  // namespace pdvc
