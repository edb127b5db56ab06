#include "tensor/npy.h"

#include <gmock/gmock.h>

#include "support/files.h"
#include "tensor/npz.h"
#include "tensor/zip_writer.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string header(const std::string& type, const std::string& shape,
                   const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

std::vector<double> values(const std::string& bytes) {
  return to_doubles(parse_npy(as_bytes(bytes), "a.npy").view());
}

std::string refusal(const std::string& bytes) {
  return error_of([&] { parse_npy(as_bytes(bytes), "a.npy"); });
}

}  // namespace

TEST(Npy, ReadsEachElementType) {
  EXPECT_THAT(values(npy_bytes(header("<f4", "(2,)"), bytes_of<float>({1.5, -2}))),
              ElementsAre(1.5, -2));
  EXPECT_THAT(values(npy_bytes(header("<f8", "(1,)"), bytes_of<double>({3}))), ElementsAre(3));
  EXPECT_THAT(values(npy_bytes(header("<f2", "(1,)"), bytes_of<uint16_t>({0x4000}))),
              ElementsAre(2));
  EXPECT_THAT(values(npy_bytes(header("<i4", "(1,)"), bytes_of<int32_t>({-9}))), ElementsAre(-9));
  EXPECT_THAT(values(npy_bytes(header("<i8", "(1,)"), bytes_of<int64_t>({-9}))), ElementsAre(-9));
  EXPECT_THAT(values(npy_bytes(header("|u1", "(2,)"), "\x01\xff")), ElementsAre(1, 255));
  EXPECT_THAT(values(npy_bytes(header("|b1", "(2,)"), std::string_view("\x01\x00", 2))),
              ElementsAre(1, 0));
}

TEST(Npy, ReadsVersionsOneToThree) {
  for (const int version : {1, 2, 3})
    EXPECT_THAT(values(npy_bytes(header("|u1", "(1,)"), "\x05", version)), ElementsAre(5));
}

TEST(Npy, SwapsBigEndian) {
  EXPECT_THAT(values(npy_bytes(header(">f4", "(1,)"), std::string_view("\x3f\x80\x00\x00", 4))),
              ElementsAre(1));
  EXPECT_THAT(values(npy_bytes(header(">i2", "(2,)"), std::string_view("\x00\x01\x01\x00", 4))),
              ElementsAre(1, 256));
}

TEST(Npy, TurnsFortranOrderAround) {
  // [[1, 2, 3], [4, 5, 6]] column by column
  EXPECT_THAT(values(npy_bytes(header("|u1", "(2, 3)", "True"), "\x01\x04\x02\x05\x03\x06")),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(values(npy_bytes(header("|u1", "(2, 1, 2)", "True"), "\x01\x03\x02\x04")),
              ElementsAre(1, 2, 3, 4));
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  EXPECT_THAT(values(npy_bytes(header("|u1", "()"), "\x07")), ElementsAre(7));
  EXPECT_THAT(values(npy_bytes(header("<f4", "(0, 500)"), "")), ElementsAre());
  EXPECT_THAT(values(npy_bytes(header("<f4", "(0, 500)", "True"), "")), ElementsAre());
}

TEST(Npy, ReadsPythonTwosLongSizes) {
  EXPECT_THAT(values(npy_bytes(header("|u1", "(1L, 2L)"), "ab")), ElementsAre(97, 98));
}

TEST(Npy, RefusesWhatIsNotNpy) {
  EXPECT_EQ(refusal("hello, this is text"), "a.npy: is not a .npy file");
  EXPECT_EQ(refusal("\x93NUM"), "a.npy: is not a .npy file");
  EXPECT_EQ(refusal(npy_bytes(header("|u1", "(1,)"), "a", 9)),
            "a.npy: .npy version 9 is not supported (expected 1 to 3)");
}

TEST(Npy, RefusesCutFilesSayingWhatIsMissing) {
  EXPECT_EQ(refusal(npy_bytes(header("<f4", "(100, 500)"), "abc")),
            "a.npy: is cut short ([100, 500] float32 needs 200000 bytes of data, got 3)");
  EXPECT_EQ(refusal(npy_bytes(header("<f4", "(1,)"), "").substr(0, 30)),
            "a.npy: is cut short within its header");
}

TEST(Npy, RefusesSizesThatNoFileCanHold) {
  EXPECT_EQ(refusal(npy_bytes(header("<f4", "(4294967296, 4294967296)"), "abc")),
            "a.npy: shape [4294967296, 4294967296] is too large");
  EXPECT_EQ(
      refusal(npy_bytes(header("<f4", "(1000000000000,)"), "abc")),
      "a.npy: is cut short ([1000000000000] float32 needs 4000000000000 bytes of data, got 3)");
}

TEST(Npy, RefusesOtherElementTypes) {
  EXPECT_EQ(refusal(npy_bytes(header("|O", "(1,)"), "abc")),
            "a.npy: element type \"|O\" is not supported (expected f2, f4, f8, i1 to i8, u1 to u8 "
            "or b1)");
  EXPECT_EQ(refusal(npy_bytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                              "abcd")),
            "a.npy: holds records (expected an array of numbers)");
}

TEST(Npy, RefusesDamagedHeaders) {
  EXPECT_EQ(refusal(npy_bytes("{'descr': '<f4'}", "")),
            "a.npy: its header lacks \"descr\" or \"shape\"");
  EXPECT_EQ(refusal(npy_bytes("{'evil': 1}", "")), "a.npy: unexpected key \"evil\" in its header");
  EXPECT_EQ(refusal(npy_bytes(header("<f4", "(-1,)"), "")),
            "a.npy: damaged header (expected a size before \"-1,), }\")");
  EXPECT_THAT(refusal(npy_bytes(header("<f4", "(" + std::string(200, '1') + ",)"), "")),
              HasSubstr("damaged header"));
}

TEST(Npy, ReadsFilesWithLongHeaders) {
  const TemporaryFolder folder;
  const std::string padded = header("|u1", "(2,)") + std::string(5000, ' ');
  EXPECT_THAT(to_doubles(read_npy(folder.write("a.npy", npy_bytes(padded, "ab"))).view()),
              ElementsAre(97, 98));
}

TEST(Npy, ReadsRealFeatures) {
  PDVC_NEEDS_SHARED("data/features/women_long_jump_rgb.npy");
  const Array array = read_npy(shared_file("data/features/women_long_jump_rgb.npy"));
  EXPECT_THAT(array.shape(), ElementsAre(14, 1024));
  EXPECT_EQ(array.type(), DType::f32);
}

TEST(Npz, ReadsStoredAndDeflatedArrays) {
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const auto arrays = read_npz(std::filesystem::path(PDVC_SOURCE) / "fuzz/seeds/npz" / name);
    const auto features = std::ranges::find(arrays, "features", &NamedArray::name);
    ASSERT_NE(features, arrays.end());
    EXPECT_THAT(features->array.shape(), ElementsAre(3, 4));
    EXPECT_EQ(to_doubles(features->array.view())[11], 11);
  }
}

TEST(Npz, TakesTheOnlyArrayOrTheOneNamedFeatures) {
  const TemporaryFolder folder;
  const std::string array = float_npy({1, 2}, {3, 4});
  const auto write = [&](const std::string& file, const std::vector<std::string>& members) {
    ZipWriter zip(folder / file);
    for (const std::string& member : members) zip.add(member, as_bytes(array));
    zip.commit();
    return folder / file;
  };
  EXPECT_THAT(read_npz_features(write("one.npz", {"anything.npy"})).shape(), ElementsAre(1, 2));
  EXPECT_THAT(read_npz_features(write("named.npz", {"a.npy", "features.npy"})).shape(),
              ElementsAre(1, 2));
  const auto several = write("several.npz", {"a.npy", "b.npy"});
  EXPECT_EQ(error_of([&] { read_npz_features(several); }),
            several.string() + ": holds 2 arrays, none named \"features\"");
  const auto none = write("none.npz", {"a.txt"});
  EXPECT_EQ(error_of([&] { read_npz_features(none); }), none.string() + ": holds no .npy array");
}

}  // namespace pdvc
