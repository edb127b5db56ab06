// pdvc extract and pdvc caption on videos, as a user meets them.
#include <gmock/gmock.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "../video/formula_weights.h"
#include "../video/made_video.h"
#include "data/predictions.h"
#include "support/models.h"
#include "support/program.h"
#include "tensor/hdf5.h"
#include "tensor/npy.h"
#include "tensor/safetensors.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

// Weights of EfficientNet by rule: the smallest network there is.
void write_efficientnet(const std::filesystem::path& path) {
  const FormulaWeights formula;
  std::deque<Array> arrays;
  std::vector<NamedView> tensors;
  const auto add = [&](const std::string& name, const Shape& shape) {
    tensors.push_back({name, arrays.emplace_back(formula.get(name, shape)).view()});
  };
  const auto add_unit = [&](const std::string& convolution, const std::string& norm,
                            const Shape& shape) {
    add(convolution + ".weight", shape);
    for (const char* part : {".weight", ".bias", ".running_mean", ".running_var"})
      add(norm + part, {shape[0]});
  };
  add_unit("_conv_stem", "_bn0", {32, 3, 3, 3});
  struct Stage {
    int64_t kernel, expand, outputs, blocks;
  };
  int64_t inputs = 32, index = 0;
  for (const Stage& s : {Stage{3, 1, 16, 1},
                         {3, 6, 24, 2},
                         {5, 6, 40, 2},
                         {3, 6, 80, 3},
                         {5, 6, 112, 3},
                         {5, 6, 192, 4},
                         {3, 6, 320, 1}})
    for (int64_t i = 0; i < s.blocks; ++i, inputs = s.outputs) {
      const std::string name = "_blocks." + std::to_string(index++) + ".";
      const int64_t wide = inputs * s.expand;
      if (s.expand > 1) add_unit(name + "_expand_conv", name + "_bn0", {wide, inputs, 1, 1});
      add_unit(name + "_depthwise_conv", name + "_bn1", {wide, 1, s.kernel, s.kernel});
      add_unit(name + "_project_conv", name + "_bn2", {s.outputs, wide, 1, 1});
    }
  add_unit("_conv_head", "_bn1", {1280, 320, 1, 1});
  add("_fc.weight", {1000, 1280});
  add("_fc.bias", {1000});
  write_safetensors(path, tensors, {});
}

class VideoFiles {
 public:
  VideoFiles() {
    std::filesystem::create_directory(folder_ / "videos");
    for (const int64_t seconds : {3, 5}) {
      MadeVideo video;
      write_video(folder_ / "videos" / (std::to_string(seconds) + ".mp4"),
                  video.frames(25 * seconds));
    }
    write_efficientnet(weights());
  }

  std::string weights() const { return folder_ / "weights.safetensors"; }
  std::string videos() const { return folder_ / "videos"; }
  std::string video(const char* name) const { return videos() + "/" + name; }
  std::string out() const { return folder_ / "out"; }
  const TemporaryFolder& folder() const { return folder_; }

  Result extract(std::vector<std::string> inputs, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"extract"};
    words.insert(words.end(), inputs.begin(), inputs.end());
    for (const std::string& word : {std::string("--backbone"), std::string("efficientnet_lite0"),
                                    std::string("--weights"), weights(), std::string("-o"), out()})
      words.push_back(word);
    words.insert(words.end(), more.begin(), more.end());
    return run_pdvc(words);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST(Extract, WritesAFileForEachVideoAndSkipsThoseThatAreThere) {
  const VideoFiles files;
  const Result first = files.extract({files.videos()});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(read_npy(files.out() + "/3.npy").shape(), (Shape{3, 1280}));
  EXPECT_EQ(read_npy(files.out() + "/5.npy").shape(), (Shape{5, 1280}));
  std::filesystem::remove(files.out() + "/3.npy");
  const auto before = std::filesystem::last_write_time(files.out() + "/5.npy");
  const Result second = files.extract({files.videos()});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_THAT(second.err, HasSubstr("1 videos are finished already"));
  EXPECT_TRUE(std::filesystem::exists(files.out() + "/3.npy"));
  EXPECT_EQ(std::filesystem::last_write_time(files.out() + "/5.npy"), before);
}

TEST(Extract, WritesHdf5ThatGrows) {
  const VideoFiles files;
  EXPECT_EQ(files.extract({files.video("3.mp4")}, {"--format", "h5"}).code, 0);
  const Result more = files.extract({files.videos()}, {"--format", "h5"});
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_THAT(more.err, HasSubstr("1 videos are finished already"));
  const Hdf5File file(files.out() + "/features.h5");
  ASSERT_EQ(file.contents().data_sets.size(), 2u);
  EXPECT_EQ(file.read("5").shape(), (Shape{5, 1280}));
  EXPECT_FALSE(std::filesystem::exists(files.out() + "/.parts"));
  // The same numbers either way.
  const Array stored = file.read("3");
  std::filesystem::remove_all(files.out());
  files.extract({files.video("3.mp4")});
  const Array plain = read_npy(files.out() + "/3.npy");
  EXPECT_TRUE(std::ranges::equal(stored.floats(), plain.floats()));
}

TEST(Extract, ReportsABrokenVideoAndDoesTheOthers) {
  const VideoFiles files;
  files.folder().write("videos/broken.mp4", "no video");
  const Result result = files.extract({files.videos()});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("broken.mp4: is not a video"));
  EXPECT_THAT(result.err, HasSubstr("1 of 3 videos failed"));
  EXPECT_TRUE(std::filesystem::exists(files.out() + "/5.npy"));
  EXPECT_FALSE(std::filesystem::exists(files.out() + "/broken.npy"));
}

TEST(Extract, ReportsAMissingVideoAndDoesTheOthers) {
  const VideoFiles files;
  const Result result = files.extract({files.video("4.mp4"), files.video("3.mp4")});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("4.mp4: no such file"));
  EXPECT_TRUE(std::filesystem::exists(files.out() + "/3.npy"));
}

TEST(Extract, LeavesHiddenFilesAlone) {
  const VideoFiles files;
  files.folder().write("videos/.half.mp4", "what a killed program left");
  EXPECT_EQ(files.extract({files.videos()}).code, 0);
}

TEST(Extract, ClaimsAFolderOnlyWithItsFirstFeatures) {
  const VideoFiles files;
  EXPECT_EQ(files.extract({files.video("4.mp4")}).code, 1);
  EXPECT_TRUE(std::filesystem::is_empty(files.out()));
  EXPECT_EQ(files.extract({files.video("3.mp4")}, {"--output", "scores"}).code, 0);
}

TEST(Extract, RefusesAFolderOfFeaturesThatDoNotSayWhatMadeThem) {
  const VideoFiles files;
  ASSERT_EQ(files.extract({files.video("3.mp4")}).code, 0);
  std::filesystem::remove(files.out() + "/backbone.json");
  const Result result = files.extract({files.videos()});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "pdvc: " + files.out() +
                            ": holds features that do not say what made them (expected an empty "
                            "folder, or one of pdvc extract)\n");
}

// Killed after the file was there, before its parts were gone.
TEST(Extract, GoesOnWithHdf5WhosePartsAreStillThere) {
  const VideoFiles files;
  ASSERT_EQ(files.extract({files.video("3.mp4")}).code, 0);
  const std::string part = contents_of(files.out() + "/3.npy");
  std::filesystem::remove(files.out() + "/3.npy");
  ASSERT_EQ(files.extract({files.video("3.mp4")}, {"--format", "h5"}).code, 0);
  std::filesystem::create_directory(files.out() + "/.parts");
  files.folder().write("out/.parts/3.npy", part);
  const Result result = files.extract({files.videos()}, {"--format", "h5"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(Hdf5File(files.out() + "/features.h5").contents().data_sets.size(), 2u);
}

TEST(Extract, SaysOnceThatPacketsWereDamaged) {
  const VideoFiles files;
  std::string bytes = contents_of(files.video("5.mp4"));
  for (size_t i = bytes.size() / 4; i < bytes.size() / 2; ++i) bytes[i] = '\x55';
  files.folder().write("videos/5.mp4", bytes);
  const Result result = files.extract({files.video("5.mp4")});
  EXPECT_EQ(result.code, 0) << result.err;
  size_t warnings = 0;
  std::istringstream lines(result.err);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.find("pdvc: "), 0u) << "FFmpeg's own message: " << line;
    warnings += line.find("damaged packets were skipped") != std::string::npos;
  }
  EXPECT_EQ(warnings, 1u) << result.err;
}

// A picture a second for an hour: nobody waits for the end of that.
TEST(Extract, StopsCleanlyWhenInterrupted) {
  const VideoFiles files;
  MadeVideo video;
  video.time_base = {1, 1};
  write_video(files.folder() / "hour.mp4", video.frames(3600));
  const std::string command =
      "timeout --preserve-status -s INT 1 " + quoted(PDVC_BINARY) + " extract " +
      quoted(files.folder() / "hour.mp4") + " --backbone efficientnet_lite0 --weights " +
      quoted(files.weights()) + " -o " + quoted(files.out()) + " 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 130);
  EXPECT_FALSE(std::filesystem::exists(files.out() + "/hour.npy"));
}

TEST(Extract, GivesScoresAndTheirName) {
  const VideoFiles files;
  const Result result = files.extract({files.video("3.mp4")}, {"--output", "scores"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(read_npy(files.out() + "/3.npy").shape(), (Shape{3, 1000}));
  EXPECT_THAT(result.err, testing::ContainsRegex("3: 3 rows of 1000: [a-zA-Z]"));
  const Result mixed = files.extract({files.video("5.mp4")});
  EXPECT_EQ(mixed.code, 1);
  EXPECT_THAT(mixed.err, HasSubstr("these are features of"));
}

TEST(Extract, ReadsStandardInput) {
  const VideoFiles files;
  const TemporaryFolder folder;
  const std::string command = "cat " + quoted(files.video("3.mp4")) + " | " + quoted(PDVC_BINARY) +
                              " extract - --backbone efficientnet_lite0 --weights " +
                              quoted(files.weights()) + " -o " + quoted(files.out()) +
                              " 2>/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_npy(files.out() + "/stdin.npy").shape(), (Shape{3, 1280}));
}

TEST(Extract, CallsStandardInputByThatName) {
  const VideoFiles files;
  const Result result = run_pdvc({"extract", "-", "--backbone", "pixels", "-o", files.out()},
                                 " <" + quoted(files.weights()) + " >/dev/null");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, testing::StartsWith("pdvc: standard input: is not a video"));
}

TEST(Extract, StopsWaitingForStandardInputWhenInterrupted) {
  const VideoFiles files;
  const std::string pipe = quoted(files.folder() / "pipe");
  const std::string script = files.folder().write(
      "script", "mkfifo " + pipe + "\nsleep 20 > " + pipe + " &\n" +
                    "timeout --preserve-status -s INT 1 " + quoted(PDVC_BINARY) +
                    " extract - --backbone pixels -o " + quoted(files.out()) + " 2>/dev/null < " +
                    pipe + "\ncode=$?\nkill %1 || exit 1  # it is still waiting\nexit $code\n");
  EXPECT_EQ(WEXITSTATUS(std::system(("bash " + quoted(script)).c_str())), 130);
}

TEST(Extract, ChecksItsOptions) {
  const VideoFiles files;
  EXPECT_EQ(run_pdvc({"extract", "a.mp4", "--backbone", "vgg", "-o", "x"}).code, 2);
  EXPECT_EQ(run_pdvc({"extract", "--backbone", "c3d", "-o", "x"}).code, 2);
  EXPECT_THAT(files.extract({files.video("3.mp4"), files.video("3.mp4")}).err,
              HasSubstr("3: is named twice among the videos"));
  EXPECT_EQ(files.extract({"none.mp4"}).err, "pdvc: none.mp4: no such file\n");
}

namespace {

// A model that takes EfficientNet's features.
void write_model(const std::filesystem::path& path, const std::string& backbone) {
  Settings settings = small_settings(CaptionerKind::standard);
  settings.model.feature_width = 1280;
  write_small_model(path, settings, known_backbone(backbone));
}

}  // namespace

TEST(CaptionVideo, GoesTheWholeWay) {
  const VideoFiles files;
  const std::string model = files.folder() / "m.safetensors";
  write_model(model, "efficientnet_lite0");
  const Result result = run_pdvc({"caption", files.video("5.mp4"), "--model", model, "--weights",
                                  files.weights(), "--format", "json"});
  EXPECT_EQ(result.code, 0) << result.err;
  const Json events = Json::parse(result.out)["results"]["5"];
  ASSERT_FALSE(events.empty());
  for (const Json& event : events) {
    EXPECT_DOUBLE_EQ(event["vid_duration"].get<double>(), 5);
    EXPECT_LE(event["timestamp"][1].get<double>(), 5);
  }
}

TEST(CaptionVideo, SaysTheSameOfAVideoAndOfItsFeatures) {
  const VideoFiles files;
  const std::string model = files.folder() / "m.safetensors";
  write_model(model, "efficientnet_lite0");
  ASSERT_EQ(files.extract({files.videos()}).code, 0);
  const auto caption = [&](const std::string& input) {
    return run_pdvc(
        {"caption", input, "--model", model, "--weights", files.weights(), "--format", "txt"});
  };
  const Result video = caption(files.video("5.mp4")), features = caption(files.out() + "/5.npy");
  EXPECT_EQ(video.code, 0) << video.err;
  EXPECT_EQ(video.out, features.out);
  // Both at once, and a list.
  std::filesystem::copy(files.video("3.mp4"), files.folder() / "other.mp4");
  const Result list =
      run_pdvc({"caption", files.folder() / "other.mp4", files.out() + "/5.npy", "--model", model,
                "--weights", files.weights(), "--format", "json"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(Json::parse(list.out)["results"].size(), 2u);
}

TEST(CaptionVideo, RefusesFeaturesOfAnotherBackbone) {
  const VideoFiles files;
  const std::string model = files.folder() / "m.safetensors";
  write_model(model, "i3d");
  ASSERT_EQ(files.extract({files.video("3.mp4")}).code, 0);
  const Result features = run_pdvc({"caption", files.out() + "/3.npy", "--model", model});
  EXPECT_EQ(features.code, 1);
  EXPECT_THAT(features.err, HasSubstr("these are features of"));
  const Result stream = run_pdvc({"caption", "--stream", files.out(), "--model", model});
  EXPECT_EQ(stream.code, 1);
  EXPECT_THAT(stream.err, HasSubstr("these are features of"));
  const Result other = run_pdvc({"caption", files.video("3.mp4"), "--model", model, "--backbone",
                                 "efficientnet_lite0", "--weights", files.weights()});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("was trained on features of i3d, not of efficientnet_lite0"));
}

TEST(CaptionVideo, ReadsStandardInput) {
  const VideoFiles files;
  const std::string model = files.folder() / "m.safetensors", out = files.folder() / "out.json";
  write_model(model, "efficientnet_lite0");
  const std::string command = quoted(PDVC_BINARY) + " caption - --model " + quoted(model) +
                              " --weights " + quoted(files.weights()) + " --format json -o " +
                              quoted(out) + " <" + quoted(files.video("3.mp4"));
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_TRUE(Json::parse(contents_of(out))["results"].contains("stdin"));
}

}  // namespace pdvc
