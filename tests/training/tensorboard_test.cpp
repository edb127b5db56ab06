#include "training/tensorboard.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "support/files.h"

namespace pdvc {
namespace {

template <class T>
T number_at(const std::string& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The records of an event file, each checked against its two checksums.
std::vector<std::string> records_of(const std::string& file) {
  const auto matches = [](std::string_view bytes, uint32_t stored) {
    return std::rotr(crc32c(bytes), 15) + 0xa282ead8u == stored;
  };
  std::vector<std::string> records;
  for (size_t at = 0; at < file.size();) {
    const auto length = number_at<uint64_t>(file, at);
    EXPECT_TRUE(matches(std::string_view(file).substr(at, 8), number_at<uint32_t>(file, at + 8)));
    records.push_back(file.substr(at + 12, length));
    EXPECT_TRUE(matches(records.back(), number_at<uint32_t>(file, at + 12 + length)));
    at += 16 + length;
  }
  return records;
}

std::string only_file_in(const TemporaryFolder& folder) {
  return contents_of(std::filesystem::directory_iterator(folder.path())->path());
}

}  // namespace

TEST(TensorBoard, KnowsTheStandardChecksum) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(""), 0u);
}

TEST(TensorBoard, WritesRecordsThatItsReadersAccept) {
  const TemporaryFolder folder;
  {
    TensorBoardFile file(folder.path());
    file.write(300, {{"loss/total", 1.5}, {"lr", 0.25}});
  }
  const auto records = records_of(only_file_in(folder));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_NE(records[0].find("brain.Event:2"), std::string::npos);
  // time (9 bytes), step 300 as two bytes of seven bits each, then the summary
  EXPECT_EQ(records[1].substr(9, 3), std::string("\x10\xac\x02"));
  const std::string loss = std::string("\x0a\x0aloss/total\x15") + bytes_of<float>({1.5f});
  EXPECT_NE(records[1].find(loss), std::string::npos);
}

}  // namespace pdvc
