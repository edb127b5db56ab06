#include "base/data_files.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "support/files.h"

namespace pdvc {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST(DataFiles, NameTheClassesInTheOrderOfTheNetworks) {
  const auto actions = lines_of(data_file("kinetics400.txt")),
             things = lines_of(data_file("imagenet1k.txt"));
  ASSERT_EQ(actions.size(), 400u);
  EXPECT_TRUE(std::ranges::is_sorted(actions));
  EXPECT_EQ(actions[59], "clean and jerk");
  ASSERT_EQ(things.size(), 1000u);
  EXPECT_EQ(things[422], "barbell");
}

TEST(DataFiles, MayLieElsewhere) {
  const TemporaryFolder folder;
  folder.write("a.txt", "x");
  setenv("PDVC_DATA", folder.path().c_str(), 1);
  EXPECT_EQ(data_file("a.txt"), folder / "a.txt");
  const std::string missing = error_of([] { data_file("b.txt"); });
  unsetenv("PDVC_DATA");
  EXPECT_EQ(missing, "b.txt: is not there (expected in " + folder.path().string() +
                         "; PDVC_DATA names another folder)");
}

}  // namespace pdvc
