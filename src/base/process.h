// Runs another program and waits for it.
#pragma once

#include <string>
#include <vector>

namespace pdvc {

struct ProcessResult {
  int code = 0;        // exit code; 128 + signal when a signal ended it
  std::string output;  // what it wrote to standard output and standard error
};

// Words as exec and spawn take them, a null at the end; good as long as the words.
std::vector<char*> argument_pointers(const std::vector<std::string>& words);

// No shell is involved; the first word is looked up in PATH. Throws Error when it cannot be
// started, Interrupted (after ending it) when the user asks to stop.
ProcessResult run_process(const std::vector<std::string>& words);

}  // namespace pdvc
