#include "base/large_block.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace pdvc {
namespace {

constexpr size_t kPage = 4096, kHugePage = size_t{2} << 20, kAlignment = 64;

bool is_mapped(size_t size) { return size >= kHugePage; }

size_t in_pages(size_t size) { return (size + kPage - 1) / kPage * kPage; }

// Begins where a huge page can; what was asked for too much goes back.
std::byte* map_aligned(size_t size) {
  void* at =
      mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  auto* const start = static_cast<std::byte*>(at);
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(at) % kHugePage) % kHugePage;
  if (before > 0) munmap(start, before);
  if (before < kHugePage) munmap(start + before + size, kHugePage - before);
  madvise(start + before, size, MADV_HUGEPAGE);  // where it is refused, small pages do
  return start + before;
}

}  // namespace

LargeBlock::LargeBlock(size_t size) : size_(size) {
  if (size == 0) return;
  data_ = is_mapped(size)
              ? map_aligned(in_pages(size))
              : static_cast<std::byte*>(operator new(size, std::align_val_t(kAlignment)));
}

LargeBlock::~LargeBlock() {
  if (data_ == nullptr) return;
  if (is_mapped(size_))
    munmap(data_, in_pages(size_));
  else
    operator delete(data_, std::align_val_t(kAlignment));
}

LargeBlock::LargeBlock(LargeBlock&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

LargeBlock& LargeBlock::operator=(LargeBlock&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

std::byte* BlockPool::take(size_t size) {
  constexpr size_t kChunk = 8 * kHugePage;
  const std::lock_guard lock(mutex_);
  if (chunks_.empty() || chunks_.back().size() - used_ < size) {
    chunks_.emplace_back(std::max(size, kChunk));
    used_ = 0;
  }
  std::byte* block = chunks_.back().data() + used_;
  used_ =
      std::min(used_ + (size + kAlignment - 1) / kAlignment * kAlignment, chunks_.back().size());
  return block;
}

}  // namespace pdvc
