#include "base/tar.h"

#include <zlib.h>

#include "support/files.h"

namespace pdvc {
namespace {

std::string member(const std::string& name, const std::string& contents) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  char size[12];
  std::snprintf(size, sizeof size, "%011zo", contents.size());
  header.replace(124, 11, size);
  std::string padded = contents;
  padded.resize((contents.size() + 511) / 512 * 512, '\0');
  return header + padded;
}

std::filesystem::path packed(const TemporaryFolder& folder, const std::string& bytes) {
  const auto path = folder / "a.tar.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return path;
}

}  // namespace

TEST(Tar, GivesOneMember) {
  const TemporaryFolder folder;
  const std::string large(100'000, 'x');
  const auto path = packed(folder, member("a/b", "hello") + member("a/large", large) +
                                       member("empty", "") + std::string(1024, '\0'));
  EXPECT_EQ(read_tar_gz_member(path, "a/b"), "hello");
  EXPECT_EQ(read_tar_gz_member(path, "a/large"), large);
  EXPECT_EQ(read_tar_gz_member(path, "empty"), "");
  EXPECT_EQ(error_of([&] { read_tar_gz_member(path, "c"); }), path.string() + ": has no member c");
}

TEST(Tar, RefusesDamage) {
  const TemporaryFolder folder;
  const std::string whole = member("a", std::string(5000, 'x'));
  EXPECT_THROW(read_tar_gz_member(packed(folder, whole.substr(0, 3000)), "a"), Error);
  EXPECT_THROW(read_tar_gz_member(packed(folder, whole.substr(0, 300)), "a"), Error);
  EXPECT_THROW(read_tar_gz_member(packed(folder, std::string(512, 'z')), "a"), Error);
  EXPECT_THROW(read_tar_gz_member(folder / "none", "a"), Error);
}

}  // namespace pdvc
