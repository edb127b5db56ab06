// Scalars as TensorBoard reads them: its record format, written by hand because it is this small.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pdvc {

using Scalars = std::vector<std::pair<std::string, double>>;

// One event file. TensorBoard joins the files of a folder, so that a run that goes on adds one.
class TensorBoardFile {
 public:
  // Writes folder/events.out.tfevents.SECONDS.PID.
  explicit TensorBoardFile(const std::filesystem::path& folder);

  void write(int64_t step, const Scalars& values);
  void flush() { file_.flush(); }

 private:
  void write_record(std::string_view record);

  std::ofstream file_;
};

// CRC-32C, as the record format has it.
uint32_t crc32c(std::string_view bytes);

}  // namespace pdvc
