// A video on standard input: many formats keep their index at the end, so it is first put into a
// file without a name, which goes away with this object.
#pragma once

#include <filesystem>

namespace pdvc {

class StandardInput {
 public:
  // Reads all of it; throws when there is none or it does not fit. Only once in a process.
  StandardInput();
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  // Under which it can be opened as long as this lives.
  std::filesystem::path path() const;

 private:
  int file_ = -1;
};

}  // namespace pdvc
