#include "video/encoder_pool.h"

namespace pdvc {

EncoderPool::Lease EncoderPool::take() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [&] { return in_use_ < most_; });
  if (idle_.empty()) idle_.push_back(make_());
  std::unique_ptr<ClipEncoder> encoder = std::move(idle_.back());
  idle_.pop_back();
  return {*this, std::move(encoder), ++in_use_};
}

void EncoderPool::give_back(std::unique_ptr<ClipEncoder> encoder) {
  {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(encoder));
    --in_use_;
  }
  returned_.notify_one();
}

}  // namespace pdvc
