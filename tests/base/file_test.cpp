#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/file_reader.h"
#include "base/mapped_file.h"
#include "support/files.h"

namespace pdvc {
namespace {

std::vector<std::string> names_in(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename());
  return names;
}

}  // namespace

TEST(MappedFile, ShowsTheBytesOfAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(as_text(MappedFile(folder.write("a", "hello")).bytes()), "hello");
}

TEST(MappedFile, RefusesWhatIsMissingAFolderOrEmpty) {
  const TemporaryFolder folder;
  const auto missing = folder / "missing.npy", empty = folder.write("empty", "");
  EXPECT_EQ(error_of([&] { MappedFile file(missing); }), missing.string() + ": no such file");
  EXPECT_EQ(error_of([&] { MappedFile file(folder.path()); }),
            folder.path().string() + ": is a folder (expected a file)");
  EXPECT_EQ(error_of([&] { MappedFile file(empty); }), empty.string() + ": is empty");
  EXPECT_EQ(error_of([&] { FileReader file(missing); }), missing.string() + ": no such file");
  EXPECT_EQ(error_of([&] { FileReader file(folder.path()); }),
            folder.path().string() + ": is a folder (expected a file)");
  EXPECT_EQ(error_of([&] { FileReader file(empty); }), empty.string() + ": is empty");
}

TEST(MappedFile, DoesNotWaitForAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { MappedFile file(folder / "pipe"); }),
            (folder / "pipe").string() + ": is not a regular file");
}

TEST(AtomicFile, LeavesTheTargetAloneUntilCommitted) {
  const TemporaryFolder folder;
  const auto target = folder.write("out", "old");
  {
    AtomicFile file(target);
    file.write("new");
    EXPECT_EQ(contents_of(target), "old");
  }
  EXPECT_EQ(contents_of(target), "old");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"out"});
}

TEST(AtomicFile, ReplacesTheTargetAtOnce) {
  const TemporaryFolder folder;
  const auto target = folder.write("out", "old");
  write_file(target, "new");
  EXPECT_EQ(contents_of(target), "new");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"out"});
}

TEST(AtomicFile, WritesThroughASymbolicLink) {
  const TemporaryFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(contents_of(folder / "real"), "new");
}

TEST(AtomicFile, FillsWhatADanglingLinkPointsTo) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("later", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(contents_of(folder / "later"), "new");
}

TEST(AtomicFile, WritesNamesAsLongAsTheFileSystemAllows) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  write_file(folder / name, "x");
  EXPECT_EQ(contents_of(folder / name), "x");
}

TEST(AtomicFile, WritesToDevices) { EXPECT_NO_THROW(write_file("/dev/null", "gone")); }

TEST(AtomicFile, NamesTheTargetWhenItCannotWrite) {
  EXPECT_EQ(error_of([] { write_file("/no/such/folder/out", "x"); }),
            "/no/such/folder/out: cannot be written: No such file or directory");
  EXPECT_EQ(error_of([] { write_file("/dev/full", "x"); }),
            "/dev/full: cannot be written: No space left on device");
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { write_file(folder.path(), "x"); }),
            folder.path().string() + ": is a folder (expected a file to write)");
}

}  // namespace pdvc
