// Encoders that several videos share: as many as may run at once, each made when it is first
// needed.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "video/encoder.h"

namespace pdvc {

class EncoderPool {
 public:
  using Make = std::function<std::unique_ptr<ClipEncoder>()>;
  // `most`: encoders at once. A network has its weights and uses all threads itself, so one is
  // best; a descriptor is small and works on one thread.
  EncoderPool(Make make, int most) : make_(std::move(make)), most_(most) {}

  // An encoder for as long as this lives.
  class Lease {
   public:
    Lease(EncoderPool& pool, std::unique_ptr<ClipEncoder> encoder, int in_use)
        : pool_(pool), encoder_(std::move(encoder)), in_use_(in_use) {}
    ~Lease() { pool_.give_back(std::move(encoder_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    ClipEncoder& operator*() const { return *encoder_; }
    int in_use() const { return in_use_; }  // when it was taken, this one included
    // Of so many threads, those that decode for this encoder.
    int share_of(int threads) const { return std::max(1, threads / in_use_); }

   private:
    EncoderPool& pool_;
    std::unique_ptr<ClipEncoder> encoder_;
    int in_use_;
  };

  // Waits while all are in use. Throws what making one throws.
  Lease take();

 private:
  void give_back(std::unique_ptr<ClipEncoder> encoder);

  Make make_;
  int most_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<ClipEncoder>> idle_;
  int in_use_ = 0;
};

}  // namespace pdvc
