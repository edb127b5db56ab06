// Several workers on one training run.
#pragma once

#include "criterion/targets.h"

namespace c10d {
class ProcessGroup;
}

namespace pdvc {

// The mean over all workers of what each counted in its own batch. Every worker must call it.
Normalizers averaged_over_workers(c10d::ProcessGroup& workers, const Normalizers& own);

}  // namespace pdvc
