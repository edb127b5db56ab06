// Memory for large arrays that live long.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace pdvc {

// Uninitialised bytes at a multiple of 64. Large ones ask for huge pages: a packed model in pages
// of 4 kB costs twenty thousand page faults, a third of the time to load it.
class LargeBlock {
 public:
  LargeBlock() = default;
  explicit LargeBlock(size_t size);
  ~LargeBlock();
  LargeBlock(LargeBlock&& other) noexcept;
  LargeBlock& operator=(LargeBlock&& other) noexcept;

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// Many blocks that live equally long, put together so that they share huge pages. Threads may take
// from it at the same time.
class BlockPool {
 public:
  // Uninitialised, at a multiple of 64, good as long as the pool.
  std::byte* take(size_t size);

 private:
  std::mutex mutex_;
  std::vector<LargeBlock> chunks_;
  size_t used_ = 0;  // of the last chunk
};

}  // namespace pdvc
