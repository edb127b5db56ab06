#include "video/encoder_pool.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/error.h"
#include "base/parallel.h"
#include "resizing_encoder.h"

namespace pdvc {
namespace {

std::unique_ptr<ClipEncoder> make_encoder() { return std::make_unique<ResizingEncoder>(); }

}  // namespace

TEST(EncoderPool, NeverHasMoreInUseThanItMay) {
  std::atomic<int> made = 0, now = 0, most = 0;
  EncoderPool pool(
      [&] {
        ++made;
        return make_encoder();
      },
      2);
  parallel_for(8, 200, [&](int64_t) {
    const EncoderPool::Lease lease = pool.take();
    const int in_use = ++now;
    int seen = most;
    while (seen < in_use && !most.compare_exchange_weak(seen, in_use)) {
    }
    EXPECT_LE(lease.in_use(), 2);
    --now;
  });
  EXPECT_LE(most, 2);
  EXPECT_LE(made, 2);
}

TEST(EncoderPool, GetsAnEncoderBackFromWorkThatFailed) {
  EncoderPool pool(make_encoder, 1);
  const ClipEncoder* first = nullptr;
  try {
    const EncoderPool::Lease lease = pool.take();
    first = &*lease;
    fail("broken");
  } catch (const Error&) {
  }
  EXPECT_EQ(&*pool.take(), first);
}

TEST(EncoderPool, CanBeAskedAgainAfterMakingOneFailed) {
  bool broken = true;
  EncoderPool pool(
      [&] {
        check(!broken, "no weights");
        return make_encoder();
      },
      1);
  EXPECT_THROW(pool.take(), Error);
  broken = false;
  EXPECT_EQ(pool.take().in_use(), 1);
}

}  // namespace pdvc
