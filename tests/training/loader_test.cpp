#include "training/loader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/error.h"

namespace pdvc {
namespace {

ExampleBatch numbered(size_t number) {
  ExampleBatch batch;
  batch.targets.push_back({.video = std::to_string(number)});
  return batch;
}

}  // namespace

TEST(Loader, HandsOutBatchesInOrder) {
  Loader loader(20, 3, [](size_t i) {
    std::this_thread::sleep_for(std::chrono::milliseconds((20 - i) % 4));
    return numbered(i);
  });
  for (size_t i = 0; i < 20; ++i) EXPECT_EQ(loader.next().targets[0].video, std::to_string(i));
}

TEST(Loader, NeverRunsFarAhead) {
  std::atomic<size_t> made = 0;
  Loader loader(100, 2, [&](size_t i) {
    ++made;
    return numbered(i);
  });
  for (size_t i = 0; i < 10; ++i) {
    loader.next();
    EXPECT_LE(made, i + 1 + 3);
  }
}

TEST(Loader, PassesOnWhatWentWrong) {
  Loader loader(3, 1, [](size_t i) -> ExampleBatch {
    if (i == 1) fail("v_1: no such data set");
    return numbered(i);
  });
  loader.next();
  EXPECT_THROW(loader.next(), Error);
}

TEST(Loader, MayHaveNothingToDo) { Loader loader(0, 2, numbered); }

}  // namespace pdvc
