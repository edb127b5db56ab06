#include "training/sampler.h"

#include <algorithm>
#include <numeric>

namespace pdvc {
namespace {

// SplitMix64: its whole state is one number, so that any draw can be made again from a key.
class Draws {
 public:
  explicit Draws(std::initializer_list<uint64_t> key) {
    for (const uint64_t part : key) state_ = next() ^ part;
  }

  // Below `bound`; the bias of the remainder is 2^-64 of it.
  size_t below(size_t bound) { return next() % bound; }

 private:
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_ = 0;
};

std::vector<size_t> counted(size_t count) {
  std::vector<size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  return numbers;
}

// Puts a random choice of `chosen` of them in front, in random order.
void draw_to_front(std::vector<size_t>& numbers, size_t chosen, Draws draws) {
  for (size_t i = 0; i < chosen; ++i)
    std::swap(numbers[i], numbers[i + draws.below(numbers.size() - i)]);
}

}  // namespace

std::vector<size_t> epoch_order(size_t videos, VideoOrder order, uint64_t seed, int64_t epoch) {
  std::vector<size_t> numbers = counted(videos);
  if (order == VideoOrder::shuffled)
    draw_to_front(numbers, videos, Draws({seed, static_cast<uint64_t>(epoch)}));
  return numbers;
}

std::span<const size_t> share_of(std::span<const size_t> order, size_t first, size_t batch,
                                 WorkerPlace place) {
  const size_t begin = std::min(first + place.rank * batch, order.size());
  return order.subspan(begin, std::min(batch, order.size() - begin));
}

std::vector<size_t> drawn(size_t count, size_t most, DrawKey key) {
  std::vector<size_t> numbers = counted(count);
  if (count <= most) return numbers;
  draw_to_front(numbers, most, Draws({key.seed, static_cast<uint64_t>(key.epoch), key.video}));
  numbers.resize(most);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace pdvc
