// Which videos a worker sees when: every video once an epoch, in an order that only the seed and
// the epoch decide.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pdvc {

enum class VideoOrder { shuffled, as_given };

// Numbers below `videos`, each once. The same for every worker.
std::vector<size_t> epoch_order(size_t videos, VideoOrder order, uint64_t seed, int64_t epoch);

// One worker among several.
struct WorkerPlace {
  size_t rank = 0, workers = 1;
};

// The part of a step's videos that falls to one worker. A step takes workers * batch videos from
// `first` on; the last one may leave a worker without any.
std::span<const size_t> share_of(std::span<const size_t> order, size_t first, size_t batch,
                                 WorkerPlace place);

// At most `most` of the numbers below `count`, drawn at random and kept in order. The same for the
// same seed, epoch and video.
struct DrawKey {
  uint64_t seed = 0;
  int64_t epoch = 0;
  size_t video = 0;
};
std::vector<size_t> drawn(size_t count, size_t most, DrawKey key);

}  // namespace pdvc
