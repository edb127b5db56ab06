#include "output/description.h"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "data/conversion.h"
#include "support/files.h"
#include "support/models.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

Description described(const std::filesystem::path& path) {
  RecordingLog log;
  return describe_file(path, kind_of_file(path), {log.log});
}

}  // namespace

TEST(Description, TellsArraysWithStatistics) {
  const TemporaryFolder folder;
  const Description d = described(
      folder.write("a.npy", float_npy({2, 2}, {1, 2, 3, std::numeric_limits<float>::quiet_NaN()})));
  EXPECT_EQ(d["kind"], "array");
  EXPECT_EQ(d["shape"], Description({2, 2}));
  EXPECT_EQ(d["least"], 1);
  EXPECT_EQ(d["most"], 3);
  EXPECT_EQ(d["mean"], 2);
  EXPECT_EQ(d["nan"], 1);
}

TEST(Description, TellsEveryKindOfSmallFile) {
  const TemporaryFolder folder;
  const auto kind = [&](const std::string& name, const std::string& text) {
    return described(folder.write(name, text))["kind"];
  };
  EXPECT_EQ(
      kind("a.json", R"({"v": {"duration": 2, "timestamps": [[0, 1]], "sentences": ["A."]}})"),
      "annotations");
  EXPECT_EQ(
      kind("b.json",
           R"({"version": "1", "results": {"v": [{"timestamp": [0, 1], "sentence": "A."}]}})"),
      "predictions");
  EXPECT_EQ(kind("c.json", R"({"ix_to_word": {"1": "a"}})"), "vocabulary");
  EXPECT_EQ(kind("d.json", R"({"v": "A man runs."})"), "paragraphs");
  EXPECT_EQ(kind("e.json", R"(["v_a"])"), "list of videos");
  EXPECT_EQ(kind("f.json", R"({"cfg_path": "x", "hidden_dim": 64})"), "settings");
  EXPECT_EQ(kind("g.yml", "hidden_dim: 64\n"), "settings");
  EXPECT_EQ(kind("h.npz",
                 contents_of(std::filesystem::path(PDVC_SOURCE) / "fuzz/seeds/npz/deflated.npz")),
            "arrays");
  EXPECT_EQ(described(test_file("pth/full.pth"))["kind"], "checkpoint");
  EXPECT_EQ(described(test_file("pth/full_legacy.pth"))["format"], "stream");
  EXPECT_EQ(kind_of_file(folder.write("i.mp4", "who knows")), FileKind::other);
  EXPECT_EQ(kind_of_file(folder.write("j.npy", "who knows")),
            FileKind::npy);  // its reader says what is wrong
}

TEST(Description, TellsAModelsSettingsWordsAndTensors) {
  const TemporaryFolder folder;
  RecordingLog log;
  const Settings settings = small_settings(CaptionerKind::light);
  write_small_checkpoint(folder / "a.pth", settings.model);
  convert_to_model_file(folder / "a.pth", folder / "a.safetensors",
                        {settings, small_vocabulary(), std::nullopt, "knows little"},
                        Precision::f32, log);
  const Description d = described(folder / "a.safetensors");
  EXPECT_EQ(d["kind"], "model");
  EXPECT_EQ(d["words"], 5);
  EXPECT_EQ(d["note"], "knows little");
  EXPECT_EQ(d["settings"]["hidden_dim"], 32);
  EXPECT_GT(d["tensors"].size(), 50);
  EXPECT_THAT(description_text(d), HasSubstr("caption_head.0.embed.weight"));
}

TEST(Description, OfAFolderNamesBadFilesAndCountsTheRest) {
  const TemporaryFolder folder;
  folder.write("a.npy", float_npy({2, 3}, {1, 2, 3, 4, 5, 6}));
  folder.write("b.npy", float_npy({5, 3}, std::vector<float>(15, 1)));
  const auto bad = folder.write("c.npy", "broken");
  const Description d = described(folder.path());
  EXPECT_EQ(d["files"], 3);
  EXPECT_EQ(d["rows"], 7);
  EXPECT_EQ(d["widths"], Description({3}));
  EXPECT_EQ(d["failures"], Description({bad.string() + ": is not a .npy file"}));
}

TEST(Description, ReadsAsText) {
  const Description d = {{"kind", "thing"},
                         {"mean", 0.5},
                         {"shape", {2, 3}},
                         {"nothing", nullptr},
                         {"rows", {{{"name", "a"}, {"n", 1}}, {{"name", "bcd\033"}}}},
                         {"inner", {{"x", true}}}};
  EXPECT_EQ(description_text(d),
            "kind     thing\nmean     0.5\nshape    [2, 3]\nnothing  none\n"
            "rows (2)\n  name     n\n  a        1\n  bcd\\x1b\ninner\n  x  true\n");
}

TEST(Description, RefusesJsonOfNoKnownKind) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.json", "[1, 2]");
  EXPECT_EQ(error_of([&] { kind_of_file(path); }),
            path.string() +
                ": is JSON of no known kind (expected annotations, predictions, a vocabulary or "
                "settings)");
}

TEST(Description, OfRealFiles) {
  PDVC_NEEDS_SHARED("data/anet/val_1.json");
  const Description d = described(shared_file("data/anet/val_1.json"));
  EXPECT_EQ(d["videos"], 4917);
  EXPECT_EQ(described(shared_file("data/features/tsp_five_videos.h5"))["data_sets"], 5);
  EXPECT_EQ(described(shared_file("data/anet/para/anet_entities_val_1_para.json"))["kind"],
            "paragraphs");
  EXPECT_EQ(described(shared_file("golden/anet_c3d_pdvc/options.json"))["kind"], "settings");
}

}  // namespace pdvc
