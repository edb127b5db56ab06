// Memory that all workers of a run see, when they are on one machine.
#pragma once

#include <cstddef>
#include <memory>

#include "training/distributed.h"

namespace pdvc {

class SharedMemory {
 public:
  // To be called by all workers. Null where they are not on one machine or it gives no such memory,
  // or $PDVC_NO_SHARED_MEMORY is set: then numbers go through the network.
  static std::unique_ptr<SharedMemory> open(Workers& workers, size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  SharedMemory(std::byte* data, size_t size) : data_(data), size_(size) {}

  std::byte* data_;
  size_t size_;
};

}  // namespace pdvc
