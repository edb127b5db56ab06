// From main to a command, and from what goes wrong to one line and an exit code.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace pdvc {

// Runs the command that the words name. `name` stands in front of messages.
int run_program(const std::string& name, const std::vector<std::string>& words,
                std::vector<Command> commands);

}  // namespace pdvc
