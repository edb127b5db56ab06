#include "tensor/safetensors.h"

#include <gmock/gmock.h>

#include "support/files.h"

namespace pdvc {
namespace {

std::string with_header(const std::string& header, const std::string& data) {
  std::string text;
  for (size_t i = 0; i < 8; ++i) text += static_cast<char>(header.size() >> 8 * i & 0xff);
  return text + header + data;
}

std::string refusal(const std::string& header, const std::string& data) {
  const std::string file = with_header(header, data);
  return error_of([&] { Safetensors tensors(as_bytes(file), "a.safetensors"); });
}

}  // namespace

TEST(Safetensors, KeepsEveryTypeNameAndNumberThroughAFile) {
  const TemporaryFolder folder;
  std::vector<Array> arrays;
  std::vector<NamedView> views;
  for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i64, DType::i32,
                           DType::i16, DType::i8, DType::u8, DType::boolean}) {
    Array& array = arrays.emplace_back(type, Shape{2, 3});
    for (size_t i = 0; i < array.bytes().size(); ++i)
      array.bytes()[i] = static_cast<std::byte>(i * 7);
  }
  for (const Array& array : arrays)
    views.push_back({"tensor é " + std::string(name_of(array.type())), array.view()});
  write_safetensors(folder / "a.safetensors", views, {{"note", "hello"}});
  const Safetensors file(folder / "a.safetensors");
  EXPECT_EQ(file.metadata().at("note"), "hello");
  ASSERT_EQ(file.tensors().size(), arrays.size());
  for (const NamedView& wanted : views) {
    const ArrayView& got = file.tensors().at(wanted.name);
    EXPECT_EQ(got.type, wanted.view.type);
    EXPECT_EQ(got.shape, wanted.view.shape);
    EXPECT_TRUE(std::ranges::equal(got.bytes, wanted.view.bytes));
  }
}

TEST(Safetensors, WritesAFileWithoutTensors) {
  const TemporaryFolder folder;
  write_safetensors(folder / "a.safetensors", {}, {});
  EXPECT_TRUE(Safetensors(folder / "a.safetensors").tensors().empty());
}

TEST(Safetensors, RefusesWhatIsNotOne) {
  const std::string text = "this is just text, nothing else";
  EXPECT_EQ(error_of([&] { Safetensors file(as_bytes(text), "a.safetensors"); }),
            "a.safetensors: is not a .safetensors file");
  const std::string cut = with_header(R"({"a": {"dtype": "F32"}})", "").substr(0, 20);
  EXPECT_EQ(error_of([&] { Safetensors file(as_bytes(cut), "a.safetensors"); }),
            "a.safetensors: is cut short within its header");
}

TEST(Safetensors, RefusesTensorsThatDoNotFitTheFile) {
  EXPECT_EQ(refusal(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})", "abcd"),
            "a.safetensors: tensor a: reaches beyond the end of the file (bytes 0 to 8 of 4; is it "
            "cut short?)");
  EXPECT_EQ(refusal(R"({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}})", "abcdefgh"),
            "a.safetensors: tensor a: [3] float32 does not take 8 bytes");
  EXPECT_EQ(
      refusal(
          R"({"a": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 0]}})",
          ""),
      "a.safetensors: tensor a: [4611686018427387904, 4] float32 does not take 0 bytes");
}

TEST(Safetensors, RefusesOverlapsGapsAndHiddenBytes) {
  const std::string two =
      R"({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "b": {"dtype": "U8", "shape": [4], "data_offsets": [)";
  EXPECT_EQ(refusal(two + "2, 6]}}", "abcdef"),
            "a.safetensors: tensors overlap or leave a gap at byte 4 of the data");
  EXPECT_EQ(refusal(two + "6, 10]}}", "abcdefghij"),
            "a.safetensors: tensors overlap or leave a gap at byte 4 of the data");
  EXPECT_EQ(refusal(two + "4, 8]}}", "abcdefghij"),
            "a.safetensors: tensors take 8 bytes, the file holds 10");
}

TEST(Safetensors, RefusesDamagedEntries) {
  EXPECT_EQ(refusal(R"({"a": 1})", ""),
            "a.safetensors: tensor a: expected dtype, shape and data_offsets");
  EXPECT_EQ(refusal(R"({"a": {"dtype": "X9", "shape": [1], "data_offsets": [0, 1]}})", "a"),
            "a.safetensors: tensor a: dtype \"X9\" is not supported");
  EXPECT_EQ(refusal(R"({"a": {"dtype": "U8", "shape": [-1], "data_offsets": [0, 1]}})", "a"),
            "a.safetensors: tensor a: -1 is not a size");
  EXPECT_EQ(refusal(R"({"__metadata__": {"a": 1}})", ""),
            "a.safetensors: __metadata__: a: expected text, got 1");
  EXPECT_EQ(refusal("{" + std::string(99, '['), ""),
            "a.safetensors: header: line 1, column 2: not valid JSON");
  const std::string twice = R"("a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]})";
  EXPECT_EQ(refusal("{" + twice + ", " + twice + "}", "a"),
            "a.safetensors: tensor a: stands twice in the header");
}

TEST(Safetensors, ReadsGoldenTensors) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/tensors.safetensors");
  EXPECT_GT(Safetensors(shared_file("golden/anet_c3d_pdvc/tensors.safetensors")).tensors().size(),
            10);
}

}  // namespace pdvc
