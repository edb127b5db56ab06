#include "tensor/zip.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include "support/deflate.h"
#include "support/files.h"
#include "tensor/zip_writer.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

std::string number(uint64_t value, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += i < 8 ? static_cast<char>(value >> 8 * i & 0xff) : '\0';
  return text;
}

struct Member {
  std::string name, packed;
  uint32_t size, crc = 0;
  int method = 8, flags = 0;
  uint32_t offset = 0;
};

// A zip archive written byte by byte, so that it can lie.
std::string archive(std::vector<Member> members) {
  std::string file, directory;
  for (Member& m : members) {
    if (m.offset == 0) {
      m.offset = static_cast<uint32_t>(file.size());
      file += "PK\3\4" + number(20, 2) + number(static_cast<uint64_t>(m.flags), 2) +
              number(static_cast<uint64_t>(m.method), 2) + number(0, 4) + number(m.crc, 4) +
              number(m.packed.size(), 4) + number(m.size, 4) + number(m.name.size(), 2) +
              number(0, 2) + m.name + m.packed;
    }
    directory += "PK\1\2" + number(20, 2) + number(20, 2) +
                 number(static_cast<uint64_t>(m.flags), 2) +
                 number(static_cast<uint64_t>(m.method), 2) + number(0, 4) + number(m.crc, 4) +
                 number(m.packed.size(), 4) + number(m.size, 4) + number(m.name.size(), 2) +
                 number(0, 12) + number(m.offset, 4) + m.name;
  }
  return file + directory + "PK\5\6" + number(0, 4) + number(members.size(), 2) +
         number(members.size(), 2) + number(directory.size(), 4) + number(file.size(), 4) +
         number(0, 2);
}

uint32_t crc_of(const std::string& text) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

std::string refusal(const std::string& file) {
  return error_of([&] {
    const ZipArchive zip(as_bytes(file), "a.zip");
    for (const ZipEntry& entry : zip.entries()) zip.contents(entry);
  });
}

}  // namespace

TEST(Zip, UnpacksDeflatedMembers) {
  const std::string text(1000, 'x');
  const std::string file = archive({{"a", deflated(text), 1000, crc_of(text)}});
  const ZipArchive zip(as_bytes(file), "a.zip");
  EXPECT_EQ(as_text(zip.contents(*zip.find("a")).bytes), text);
}

TEST(Zip, WritesWhatItReadsWithDataOnBoundaries) {
  const TemporaryFolder folder;
  {
    ZipWriter writer(folder / "a.zip");
    writer.add("first", as_bytes("one"));
    writer.add("folder/second", as_bytes("two two"));
    writer.commit();
  }
  const MappedFile file(folder / "a.zip");
  const ZipArchive zip(file.bytes(), "a.zip");
  ASSERT_EQ(zip.entries().size(), 2);
  EXPECT_EQ(as_text(zip.find("folder/second")->packed), "two two");
  for (const ZipEntry& entry : zip.entries()) {
    EXPECT_EQ((entry.packed.data() - file.bytes().data()) % 64, 0);
    EXPECT_NO_THROW(zip.verify(entry));
  }
}

TEST(Zip, RefusesAMemberThatClaimsMoreThanItsBytesCanHold) {
  EXPECT_EQ(refusal(archive({{"a", "abcd", 0x7fffffff}})),
            "a.zip: member a claims 2147483647 bytes from 4 packed ones");
  EXPECT_EQ(refusal(archive({{.name = "a", .packed = "abcd", .size = 5, .method = 0}})),
            "a.zip: member a claims 5 bytes from 4 packed ones");
}

TEST(Zip, RefusesABombOfZeros) {
  const std::string zeros(100 << 20, '\0');
  const std::string packed = deflated(zeros);
  EXPECT_THAT(refusal(archive({{"a", packed, 100 << 20, crc_of(zeros)}})),
              HasSubstr("member a claims 104857600 bytes"));
}

TEST(Zip, RefusesManyMembersThatTogetherAreABomb) {
  const std::string zeros(60 << 20, '\0');
  const std::string packed = deflated(zeros);
  const Member member{"a", packed, 60 << 20, crc_of(zeros)};
  EXPECT_THAT(refusal(archive(std::vector<Member>(3, member))),
              HasSubstr("members claim 188743680 bytes together"));
}

TEST(Zip, UnpacksAMemberWithoutContents) {
  const std::string file = archive({{"a", deflated(""), 0, 0}});
  const ZipArchive zip(as_bytes(file), "a.zip");
  EXPECT_TRUE(zip.contents(*zip.find("a")).bytes.empty());
}

TEST(Zip, RefusesMembersThatOverlap) {
  const std::string text(3000, 'x');
  Member first{"a", std::string(3000, 'x'), 3000, crc_of(text), 0};
  Member second = first;
  second.offset = 0;
  std::vector<Member> members = {first};
  std::string file = archive(members);
  // A directory that names the same member many times.
  const size_t directory = file.find("PK\1\2");
  const std::string entry = file.substr(directory, 46 + 1);
  std::string forged = file.substr(0, directory);
  for (int i = 0; i < 50; ++i) forged += entry;
  forged += "PK\5\6" + number(0, 4) + number(50, 2) + number(50, 2) + number(50 * entry.size(), 4) +
            number(directory, 4) + number(0, 2);
  EXPECT_EQ(refusal(forged), "a.zip: members of the zip archive overlap");
}

TEST(Zip, RefusesEncryptionAndOtherMethods) {
  EXPECT_EQ(refusal(archive({{.name = "a", .packed = "x", .size = 1, .method = 0, .flags = 1}})),
            "a.zip: member a is encrypted");
  EXPECT_EQ(refusal(archive({{.name = "a", .packed = "x", .size = 1, .method = 12}})),
            "a.zip: member a uses compression method 12 (expected stored or deflated)");
}

TEST(Zip, RefusesDamage) {
  const std::string text(1000, 'x');
  const std::string good = archive({{"a", deflated(text), 1000, crc_of(text)}});
  EXPECT_EQ(refusal(archive({{"a", deflated(text), 1000, crc_of(text) + 1}})),
            "a.zip: member a is damaged");
  EXPECT_EQ(refusal(good.substr(0, good.size() - 10)),
            "a.zip: is cut short (a zip archive without its directory)");
  EXPECT_EQ(refusal(good.substr(20)), "a.zip: damaged zip directory");
  for (size_t cut = 1; cut < good.size(); ++cut) EXPECT_NE(refusal(good.substr(0, cut)), "");
}

}  // namespace pdvc
