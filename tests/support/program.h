// The program run as a user runs it.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/files.h"

namespace pdvc {

struct Result {
  int code;
  std::string out, err;
};

inline std::string quoted(const std::string& word) {
  std::string text = "'";
  text += word;
  text += "'";
  return text;
}

inline Result run_pdvc(const std::vector<std::string>& words, const std::string& redirect = "") {
  const TemporaryFolder folder;
  std::string command = quoted(PDVC_BINARY);
  for (const std::string& word : words) command.append(" ").append(quoted(word));
  command.append(" 2>").append(quoted(folder / "err"));
  if (redirect.empty())
    command.append(" >").append(quoted(folder / "out"));
  else
    command += redirect;
  const int status = std::system(command.c_str());
  return {WEXITSTATUS(status), contents_of(folder / "out"), contents_of(folder / "err")};
}

}  // namespace pdvc
