// What a run leaves behind for people and programs to read while it goes on.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pdvc {

// log.jsonl: one object a line. A run that goes on cuts off what was written after its checkpoint,
// so that every step stands in it once.
class RunLog {
 public:
  // Keeps the first `size` bytes of the file.
  RunLog(const std::filesystem::path& path, uint64_t size);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  // Throws when it cannot be written.
  void write(const nlohmann::ordered_json& entry);
  // Bytes written so far, all of them in the file.
  uint64_t size();

 private:
  void flush();

  std::filesystem::path path_;
  int file_ = -1;
  uint64_t size_ = 0;
  std::string pending_;
};

}  // namespace pdvc
