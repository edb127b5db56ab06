// A command of the program: what it is called, which options it takes, what it does.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/progress.h"
#include "base/settings.h"

namespace pdvc {

// Wrong usage: said in one line, exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What every command is given.
struct Session {
  Log& log;
  std::ostream& out;
  int threads = 1;
  ProgressMode progress = ProgressMode::silent;
  std::vector<std::string> words;  // the whole command line as it was given
};

struct Command {
  std::string name;
  std::string summary;   // one line, for the list of commands
  std::string examples;  // whole command lines
  FieldList options;     // where the command line puts its values; they live as long as `run`
  std::function<int(Session&)> run;
};

Command caption_command();
Command eval_command();
Command extract_command();
Command info_command();
Command convert_command();
Command fetch_command();
Command meteor_data_command();
Command train_command();
Command baselines_command();
Command shapes_command();

std::vector<Command> all_commands();

}  // namespace pdvc
