#include "base/error.h"

#include "support/files.h"

namespace pdvc {

TEST(Error, NamesTheThingAndBothSides) {
  const std::filesystem::path path = "features/a.npy";
  EXPECT_EQ(
      error_of([&] { check(false, path, ": expected [time, channels], got ", 3, " dimensions"); }),
      "features/a.npy: expected [time, channels], got 3 dimensions");
}

TEST(Error, IsNotThrownWhenTheConditionHolds) { EXPECT_NO_THROW(check(true, "nothing")); }

}  // namespace pdvc
