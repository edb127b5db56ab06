#include "base/process.h"

#include <gmock/gmock.h>

#include "support/files.h"

namespace pdvc {

TEST(Process, GivesCodeAndBothOutputs) {
  const ProcessResult result = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.output, "out\nerr\n");
}

TEST(Process, PassesWordsAsTheyAre) {
  EXPECT_EQ(run_process({"printf", "%s|", "a b", "$HOME", "';"}).output, "a b|$HOME|';|");
}

TEST(Process, TellsASignalFromAnExit) {
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}).code, 128 + 9);
}

TEST(Process, SaysWhatCannotBeStarted) {
  EXPECT_EQ(error_of([] { run_process({"no-such-program-here"}); }),
            "no-such-program-here: cannot be started: No such file or directory");
}

}  // namespace pdvc
