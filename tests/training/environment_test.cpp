#include "training/environment.h"

#include <gtest/gtest.h>

namespace pdvc {

TEST(TrainingEnvironment, KnowsTorchAndItsDevices) {
  EXPECT_NE(torch_version(), "");
  EXPECT_EQ(torch_devices().substr(0, 3), "cpu");
}

}  // namespace pdvc
