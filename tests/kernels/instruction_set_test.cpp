#include "kernels/instruction_set.h"

#include <gtest/gtest.h>

namespace pdvc {

TEST(InstructionSet, IsNamed) {
  EXPECT_NE(instruction_set(), "");
  EXPECT_NE(onednn_version().find('.'), std::string::npos);
}

}  // namespace pdvc
