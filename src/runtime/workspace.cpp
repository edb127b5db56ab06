#include "runtime/workspace.h"

#include <algorithm>
#include <new>

namespace pdvc {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kFloatsPerLine = kAlignment / sizeof(float);
constexpr size_t kSmallestBlock = size_t{1} << 20;  // floats

}  // namespace

void Arena::Free::operator()(float* data) const {
  ::operator delete[](data, std::align_val_t(kAlignment));
}

float* Arena::rows(int64_t count, int64_t width) {
  // padded_rows() adds an eighth and a row or two, and the last thread's share is padded again.
  const auto padded = static_cast<size_t>(count + count / 4 + 16);
  const size_t needed =
      (padded * static_cast<size_t>(width) + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine;
  while (block_ < blocks_.size() && blocks_[block_].size - used_ < needed) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const size_t size = std::max(needed, kSmallestBlock);
    auto* data =
        static_cast<float*>(::operator new[](size * sizeof(float), std::align_val_t(kAlignment)));
    std::fill_n(data, size, 0.0f);  // so that what padding computes with are numbers
    blocks_.push_back({std::unique_ptr<float, Free>(data), size});
  }
  float* result = blocks_[block_].data.get() + used_;
  used_ += needed;
  return result;
}

Workspace::Workspace(int threads) : team(threads) {
  scratches_.resize(static_cast<size_t>(team.size()));
}

void Workspace::run(const Dense& layer, const float* x, float* y, int64_t rows) {
  // A share is a number of rows that needs no padding, which would write into the next share. The
  // last one is filled up with what lies behind: a product for fewer rows would have to be
  // prepared.
  const int64_t share = padded_rows((rows + team.size() - 1) / team.size());
  team.run([&](int thread) {
    const int64_t first = share * thread;
    if (first < rows)
      layer.run(x + first * layer.inputs(), y + first * layer.outputs(), share, scratch(thread));
  });
}

}  // namespace pdvc
