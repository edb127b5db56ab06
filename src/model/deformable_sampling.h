// One-dimensional multi-scale deformable sampling: the operator behind deformable attention and the
// standard captioner.
//
// A place u in a level of n positions reads between floor(u) and floor(u) + 1; the level's first
// position is at 0, its last at n - 1. (A share p of the level is u = p * n - 0.5.) Forward and
// backward never hold the samples of more than one query: cost and memory are linear in queries and
// values.
#pragma once

#include <torch/torch.h>

#include "model/levels.h"

namespace pdvc {

using torch::Tensor;

// Weighted sum of samples; a neighbour outside its level counts as zero.
//   values [N, S, H, D], places and weights [N, Q, H, L, K] -> [N, Q, H * D]
Tensor deformable_attend(const Tensor& values, const Levels& levels, const Tensor& places,
                         const Tensor& weights);

// The samples themselves, for a captioner that attends to them; outside its level, the border's
// value.
//   values [N, S, H, D], places [P, H, L, K], video [P] (which of the N), last [N, L] (index of
//   the last position a sample may read) -> [P, H, L * K, D]
Tensor border_samples(const Tensor& values, const Levels& levels, const Tensor& places,
                      const Tensor& video, const Tensor& last);

// The same two out of Torch's own operations: slower, for any device, and the fast ones' second
// opinion.
Tensor composed_deformable_attend(const Tensor& values, const Levels& levels, const Tensor& places,
                                  const Tensor& weights);
Tensor composed_border_samples(const Tensor& values, const Levels& levels, const Tensor& places,
                               const Tensor& video, const Tensor& last);

}  // namespace pdvc
