#include "tensor/checkpoint.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "base/json.h"
#include "support/files.h"
#include "tensor/checkpoint_writer.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void expect_tensor(const ArrayView& view, const Json& wanted, const std::string& path) {
  EXPECT_EQ(view.shape, wanted["shape"].get<Shape>()) << path;
  EXPECT_EQ(name_of(view.type), wanted["dtype"].get<std::string>()) << path;
  const std::vector<double> values = to_doubles(view);
  const std::vector<double> first = wanted["values"];
  for (size_t i = 0; i < first.size(); ++i) EXPECT_DOUBLE_EQ(values.at(i), first[i]) << path;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  EXPECT_NEAR(sum, wanted["sum"].get<double>(), 1e-6 + 1e-9 * std::abs(sum)) << path;
}

void expect_value(const CheckpointValue& value, const Json& wanted, const std::string& path) {
  if (wanted.is_null())
    EXPECT_TRUE(std::holds_alternative<std::monostate>(value)) << path;
  else if (wanted.is_boolean())
    EXPECT_EQ(std::get<bool>(value), wanted.get<bool>()) << path;
  else if (wanted.is_number_integer())
    EXPECT_EQ(std::get<int64_t>(value), wanted.get<int64_t>()) << path;
  else if (wanted.is_number_float())
    EXPECT_EQ(std::get<double>(value), wanted.get<double>()) << path;
  else if (wanted.is_string())
    EXPECT_EQ(std::get<std::string>(value), wanted.get<std::string>()) << path;
  else
    expect_tensor(std::get<ArrayView>(value), wanted, path);
}

// What expected.json lists, and nothing else but opaque objects.
void expect_checkpoint(const std::string& file, const Json& wanted) {
  const Checkpoint checkpoint(test_file("pth/" + file));
  size_t known = 0;
  for (const CheckpointEntry& entry : checkpoint.entries()) {
    if (std::holds_alternative<OpaqueObject>(entry.value)) continue;
    ASSERT_TRUE(wanted.contains(entry.path)) << file << ": " << entry.path;
    expect_value(entry.value, wanted[entry.path], file + ": " + entry.path);
    ++known;
  }
  EXPECT_EQ(known, wanted.size()) << file;
}

std::string refusal(const std::string& bytes) {
  return error_of([&] { Checkpoint checkpoint(as_bytes(bytes), "a.pth"); });
}

std::string pickle(const std::string& code) { return "\x80\x02" + code + "."; }
std::string text(const std::string& value) {
  std::string code = "X";
  for (size_t i = 0; i < 4; ++i) code += static_cast<char>(value.size() >> 8 * i & 0xff);
  return code + value;
}

}  // namespace

TEST(Checkpoint, ReadsEachFileOfTheZooAsExpected) {
  const Json expected = parse_json(contents_of(test_file("pth/expected.json")), "expected.json");
  for (const auto& [file, wanted] : expected.items()) expect_checkpoint(file, wanted);
}

TEST(Checkpoint, RefusesEachFileThatMustBeRefused) {
  const auto message = [](const std::string& file) {
    const auto path = test_file("pth/refuse/" + file);
    const std::string text = error_of([&] { Checkpoint checkpoint(path); });
    EXPECT_TRUE(text.starts_with(path.string() + ": ")) << text;
    return text.substr(std::min(text.size(), path.string().size() + 2));
  };
  EXPECT_EQ(message("bad_opcode.pth"), "its pickle has an unknown opcode 255 at byte 200");
  EXPECT_EQ(message("calls_system.pth"),
            "its pickle calls posix.system, which is refused (a checkpoint holds data, not code)");
  EXPECT_EQ(message("empty.pth"), "is empty");
  EXPECT_EQ(message("missing_storage.pth"), "storage 0 is missing");
  EXPECT_EQ(message("short_storage.pth"), "storage 0 is cut short (expected 15 elements, got 1)");
  EXPECT_EQ(message("text.pth"), "is not a checkpoint (expected a zip archive or a pickle)");
  EXPECT_EQ(message("truncated.pth"), "is cut short (a zip archive without its directory)");
  for (const auto& entry : std::filesystem::directory_iterator(test_file("pth/refuse")))
    EXPECT_THROW(Checkpoint checkpoint(entry.path()), Error) << entry.path();
}

TEST(Checkpoint, KeepsUnknownObjectsOpaque) {
  for (const auto& [file, type] : {std::pair{"foreign_class.pth", "some_project.Opt"},
                                   {"namespace.pth", "argparse.Namespace"}}) {
    const Checkpoint checkpoint(test_file(std::string("pth/") + file));
    const auto opaque = std::ranges::find_if(checkpoint.entries(), [](const auto& e) {
      return std::holds_alternative<OpaqueObject>(e.value);
    });
    ASSERT_NE(opaque, checkpoint.entries().end());
    EXPECT_EQ(std::get<OpaqueObject>(opaque->value).type, type);
  }
}

TEST(Checkpoint, ReadsNumpyArraysOfBarePickles) {
  for (const char* file : {"numpy_protocol2.pth", "numpy_protocol4.pth", "numpy_protocol5.pth"}) {
    const Checkpoint checkpoint(std::filesystem::path(PDVC_SOURCE) / "fuzz/seeds/pth" / file);
    EXPECT_EQ(checkpoint.format(), CheckpointFormat::pickle);
    const ArrayView* array = checkpoint.find_tensor("k") ? checkpoint.find_tensor("k")
                                                         : checkpoint.find_tensor("params/k");
    ASSERT_NE(array, nullptr) << file;
    EXPECT_THAT(to_doubles(*array), ElementsAre(0, 1, 2, 3, 4, 5)) << file;
  }
  const Checkpoint orders(std::filesystem::path(PDVC_SOURCE) /
                          "fuzz/seeds/pth/numpy_protocol4.pth");
  for (const char* name : {"params/f", "params/b"})  // column-major; big-endian
    EXPECT_THAT(to_doubles(*orders.find_tensor(name)),
                ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
        << name;
}

TEST(Checkpoint, RefusesANumpyArrayThatNeverGetsItsData) {
  EXPECT_EQ(refusal(pickle("}" + text("a") + "cnumpy.core.multiarray\n_reconstruct\n)Rs")),
            "a.pth: a: a numpy array without its data");
}

TEST(Checkpoint, CallsNothingByAnyRoute) {
  EXPECT_EQ(
      refusal(pickle("cos\nsystem\n(" + text("id") + "tR")),
      "a.pth: its pickle calls os.system, which is refused (a checkpoint holds data, not code)");
  EXPECT_EQ(refusal(pickle("cbuiltins\neval\n)R")),
            "a.pth: its pickle calls builtins.eval, which is refused (a checkpoint holds data, not "
            "code)");
  // As a function that another, allowed one is to call.
  EXPECT_EQ(
      refusal(
          pickle("ctorch._tensor\n_rebuild_from_type_v2\n(cos\nsystem\nN(" + text("id") + "tNtR")),
      "a.pth: its pickle calls os.system, which is refused (a checkpoint holds data, not code)");
  // As a class: stays opaque, is not called.
  EXPECT_NO_THROW(
      Checkpoint(as_bytes(pickle(std::string("cos\nsystem\n(") + text("id") + "t\x81")), "a.pth"));
  EXPECT_THAT(refusal(pickle("(ios\nsystem\n")), HasSubstr("unknown opcode"));
}

TEST(Checkpoint, RefusesPicklesThatMultiplyThemselves) {
  // Lists of ten references to the list before: 10^20 leaves in 400 bytes.
  std::string bomb =
      "](K\x01" + std::string("K\x01K\x01K\x01K\x01K\x01K\x01K\x01K\x01K\x01") + "eq";
  bomb += '\x00';
  for (char level = 1; level <= 20; ++level) {
    bomb += "](";
    for (int i = 0; i < 10; ++i) (bomb += 'h') += static_cast<char>(level - 1);
    (bomb += "eq") += level;
  }
  EXPECT_EQ(refusal(pickle(bomb)), "a.pth: its pickle multiplies its own contents");
}

TEST(Checkpoint, ChargesSharedTextsTensorsAndEmptyNamesToTheFile) {
  // One long text, listed a million times through shared lists; and the same with names that take
  // no room.
  const std::string long_text = text(std::string(30000, 'x')) + "q" + std::string(1, '\0') + "0";
  const auto doubled = [](std::string code, const std::string& open, const std::string& item,
                          const std::string& close) {
    for (char level = 1; level <= 20; ++level) {
      code += open;
      for (int i = 0; i < 2; ++i) code += item + "h" + static_cast<char>(level - 1);
      code += close + "q" + level + "0";
    }
    return code + "h\x14";
  };
  EXPECT_EQ(refusal(pickle(doubled(long_text, "](", "", "e"))),
            "a.pth: its pickle multiplies its own contents");
  EXPECT_EQ(refusal(pickle(doubled(std::string("Nq\0"
                                               "0",
                                               4),
                                   "](", "", "e"))),
            "a.pth: its pickle multiplies its own contents");
}

TEST(Checkpoint, UnderstandsPlainPythonContainers) {
  const auto entries = [](const std::string& code) {
    const std::string bytes = pickle(code);
    return Checkpoint(as_bytes(bytes), "a.pth").entries();
  };
  EXPECT_EQ(std::get<int64_t>(entries("c__builtin__\nset\n(](K\x05"
                                      "etR")
                                  .at(0)
                                  .value),
            5);
  EXPECT_EQ(entries("ccollections\nCounter\n(}" + text("milestone") + "K\x02stR").at(0).path,
            "milestone");
  EXPECT_EQ(std::get<OpaqueObject>(entries("c__builtin__\nbytes\n)R").at(0).value).type, "bytes");
  EXPECT_EQ(std::get<bool>(entries("I01\n").at(0).value), true);
  EXPECT_EQ(std::get<int64_t>(entries("I99999999999\n").at(0).value), 99999999999);
}

TEST(Checkpoint, LetsTheLastOfRepeatedKeysCount) {
  const std::string bytes =
      pickle("}(" + text("a") + "K\x01" + text("b") + "K\x02" + text("a") + "K\x03u");
  const Checkpoint checkpoint(as_bytes(bytes), "a.pth");
  ASSERT_EQ(checkpoint.entries().size(), 2);
  EXPECT_EQ(checkpoint.entries()[0].path, "a");
  EXPECT_EQ(std::get<int64_t>(checkpoint.entries()[0].value), 3);
}

TEST(Checkpoint, RefusesPicklesThatNestDeeplyOrContainThemselves) {
  EXPECT_THAT(refusal(pickle(std::string(100000, ']') + std::string(99999, 'a'))),
              HasSubstr("nests deeper than 32 levels"));
  EXPECT_THAT(refusal(pickle(std::string("]q\0h\0a", 6))),
              HasSubstr("nests deeper than 32 levels"));
}

TEST(Checkpoint, RefusesTensorsThatReachBeyondTheirStorageOrRepeatIt) {
  const auto tensor = [](const std::string& shape, const std::string& stride) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" +
           text("0") + text("cpu") + "K\x02tQK" + std::string(1, '\0') + "(" + shape + "t(" +
           stride + "t\x89}tR.";
  };
  const auto file = [&](const std::string& shape, const std::string& stride) {
    const std::string magic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
    const std::string size("\x02\0\0\0\0\0\0\0", 8);
    return magic + "\x80\x02M\xe9\x03.\x80\x02}.\x80\x02" + tensor(shape, stride) + "\x80\x02](" +
           text("0") + "e." + size + bytes_of<float>({1, 2});
  };
  const std::string good = file("K\x02", "K\x01");
  EXPECT_THAT(to_doubles(*Checkpoint(as_bytes(good), "a.pth").find_tensor("")), ElementsAre(1, 2));
  EXPECT_EQ(refusal(file("K\x03", "K\x01")), "a.pth: : [3] reaches beyond its storage");
  EXPECT_EQ(refusal(file("J\xff\xff\xff\xff", "K\x01")), "a.pth: : damaged shape [-1]");
  EXPECT_EQ(refusal(file("J\xff\xff\xff\x7f", std::string("K\0", 2))),
            "a.pth: : [2147483647] repeats its storage too often to be copied");
  EXPECT_EQ(refusal(good.substr(0, good.size() - 1)), "a.pth: is cut short within storage 0");
  // Offsets and strides at the edge of what 64 bits hold.
  const std::string huge("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", 10);
  const std::string wide_step = file("K\x01K\x02", huge + "K\x01");
  EXPECT_THAT(to_doubles(*Checkpoint(as_bytes(wide_step), "a.pth").find_tensor("")),
              ElementsAre(1, 2));
}

TEST(Checkpoint, RefusesEveryCutOfAFile) {
  const std::string whole = contents_of(test_file("pth/full_legacy.pth"));
  for (size_t size = 1; size < whole.size(); size += 7)
    EXPECT_NE(refusal(whole.substr(0, size)), "");
}

TEST(Checkpoint, WritesWhatItReadsWithTiedTensorsOnce) {
  const TemporaryFolder folder;
  const std::string numbers = bytes_of<float>({1, 2, 3, 4, 5, 6});
  const ArrayView matrix{DType::f32, {2, 3}, as_bytes(numbers)};
  write_checkpoint(folder / "a.pth", 7,
                   {{"first", matrix}, {"again", matrix}, {"empty", {DType::i64, {0}, {}}}});
  const Checkpoint checkpoint(folder / "a.pth");
  checkpoint.verify();
  EXPECT_EQ(checkpoint.entries().at(0).path, "epoch");
  EXPECT_EQ(std::get<int64_t>(checkpoint.entries()[0].value), 7);
  EXPECT_THAT(to_doubles(*checkpoint.find_tensor("model/first")), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(checkpoint.find_tensor("model/first")->bytes.data(),
            checkpoint.find_tensor("model/again")->bytes.data());
  EXPECT_EQ(checkpoint.find_tensor("model/empty")->shape, Shape{0});
}

}  // namespace pdvc
