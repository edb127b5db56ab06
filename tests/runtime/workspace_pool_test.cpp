#include "runtime/workspace_pool.h"

#include <gtest/gtest.h>

namespace pdvc {
namespace {

TEST(WorkspacePool, GivesEachTakerItsOwn) {
  WorkspacePool pool(1);
  const auto first = pool.take(), second = pool.take();
  EXPECT_NE(first, second);
}

TEST(WorkspacePool, HandsOutAgainWhatCameBackLast) {
  WorkspacePool pool(1);
  auto first = pool.take(), second = pool.take();
  const Workspace* const last = second.get();
  pool.give_back(std::move(first));
  pool.give_back(std::move(second));
  EXPECT_EQ(pool.take().get(), last);
}

}  // namespace
}  // namespace pdvc
