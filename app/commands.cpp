// The list of commands: nothing is listed that does not work.
#include "command.h"

namespace pdvc {

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  commands.push_back(baselines_command());
  commands.push_back(caption_command());
  commands.push_back(convert_command());
  commands.push_back(eval_command());
  commands.push_back(extract_command());
  commands.push_back(fetch_command());
  commands.push_back(info_command());
  commands.push_back(meteor_data_command());
  commands.push_back(train_command());
  commands.push_back(shapes_command());
  return commands;
}

}  // namespace pdvc
