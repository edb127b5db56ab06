// From the words of a command line to one command with its options set. The only user of CLI11.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace pdvc {

// Options that every command takes.
struct GlobalOptions {
  bool quiet = false;
  bool verbose = false;
  int64_t threads = 0;  // 0: the cores this process may use
  std::string progress = "auto";
};
void fields(GlobalOptions& options, FieldList& visit);

struct ParsedLine {
  GlobalOptions global;
  Command* command = nullptr;  // null when `answer` says all there is to say
  std::string answer;          // help or version
};

// Throws UsageError.
ParsedLine parse_command_line(const std::vector<std::string>& words,
                              std::vector<Command>& commands);

}  // namespace pdvc
