// pdvc caption as a user meets it, on a small random model.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "data/predictions.h"
#include "support/models.h"
#include "support/program.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

// A model and some videos with features of different length.
class CaptionFiles {
 public:
  CaptionFiles() {
    Settings settings = small_settings(CaptionerKind::standard);
    settings.model.refine_boxes = true;
    width_ = settings.model.feature_width;
    queries_ = settings.model.queries;
    write_small_checkpoint(folder_ / "a.pth", settings.model);
    folder_.write("a.yml", model_file_settings(settings).dump());
    folder_.write("v.json", R"(["a", "man", "runs", "fast", "UNK"])");
    const Result converted = run_pdvc({"convert", folder_ / "a.pth", model(), "--config",
                                       folder_ / "a.yml", "--vocabulary", folder_ / "v.json"});
    EXPECT_EQ(converted.code, 0) << converted.err;
    std::filesystem::create_directory(features());
    for (int64_t v = 0; v < 5; ++v) write_video("v_" + std::to_string(v), 5 + 13 * v);
    folder_.write("annotations.json",
                  R"({"v_3": {"duration": 80.5, "timestamps": [[1, 2]], "sentences": ["x"]},
                      "v_1": {"duration": 40, "timestamps": [[0, 9], [10, 40]],
                              "sentences": ["x", "y"]}})");
  }

  void write_video(const std::string& name, int64_t rows) const {
    std::mt19937 generator(static_cast<uint32_t>(rows));
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(rows * width_));
    for (float& x : values) x = normal(generator);
    folder_.write("features/" + name + ".npy", float_npy({rows, width_}, values));
  }

  std::string model() const { return folder_ / "a.safetensors"; }
  std::string features() const { return folder_ / "features"; }
  std::string video(const std::string& name) const { return features() + "/" + name + ".npy"; }
  std::string annotations() const { return folder_ / "annotations.json"; }
  std::string out(const std::string& name) const { return folder_ / name; }
  const TemporaryFolder& folder() const { return folder_; }
  int64_t queries() const { return queries_; }

  // All five videos into one file.
  Result caption_all(const std::string& name, std::vector<std::string> more = {}) const {
    std::string durations;
    for (int v = 0; v < 5; ++v)
      durations += (v ? ", " : "") + ("\"v_" + std::to_string(v)) +
                   "\": {\"duration\": 60, \"timestamps\": [], \"sentences\": []}";
    folder_.write("all.json", "{" + durations + "}");
    std::vector<std::string> words = {"caption",       features(),           "--model", model(),
                                      "--annotations", folder_ / "all.json", "-o",      out(name)};
    words.insert(words.end(), more.begin(), more.end());
    return run_pdvc(words);
  }

 private:
  TemporaryFolder folder_;
  int64_t width_ = 0, queries_ = 0;
};

std::vector<std::string> sentences_in(const std::string& path) {
  std::vector<std::string> sentences;
  for (const VideoEvents& video : read_predictions(path).videos)
    for (const Event& event : video.events) sentences.push_back(event.sentence);
  return sentences;
}

TEST(Caption, GivesEventsOfOneFeatureFile) {
  const CaptionFiles files;
  const Result result =
      run_pdvc({"caption", files.video("v_2"), "--model", files.model(), "--duration", "50"});
  EXPECT_EQ(result.code, 0) << result.err;
  const Json json = Json::parse(result.out);
  ASSERT_TRUE(json["results"].contains("v_2"));
  for (const Json& event : json["results"]["v_2"]) {
    EXPECT_GE(event["timestamp"][0].get<double>(), 0);
    EXPECT_LE(event["timestamp"][1].get<double>(), 50);
    EXPECT_EQ(event["vid_duration"].get<double>(), 50);
  }
}

TEST(Caption, WritesEveryFormatIntoAFolder) {
  const CaptionFiles files;
  const Result result = run_pdvc(
      {"caption", files.video("v_1"), "--model", files.model(), "--duration", "50", "--format",
       "json,srt,vtt,txt,tsv,chapters,chapters-youtube,chapters-vtt", "-o", files.out("made")});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* ending :
       {".json", ".srt", ".vtt", ".txt", ".tsv", ".ffmetadata", ".chapters.txt", ".chapters.vtt"})
    EXPECT_TRUE(std::filesystem::exists(files.out("made") + "/v_1" + ending)) << ending;
}

TEST(Caption, TakesVideosAndDurationsFromAnnotations) {
  const CaptionFiles files;
  const Result result = run_pdvc({"caption", "--model", files.model(), "--stream", files.features(),
                                  "--annotations", files.annotations()});
  EXPECT_EQ(result.code, 0) << result.err;
  const Predictions predictions = parse_predictions(result.out, "out");
  ASSERT_EQ(predictions.videos.size(), 2u);
  EXPECT_EQ(predictions.videos[0].video, "v_3") << "in the annotations' order";
  for (const VideoEvents& video : predictions.videos)
    if (!video.events.empty()) {
      EXPECT_EQ(video.duration, video.video == "v_3" ? 80.5 : 40);
    }
}

TEST(Caption, NarrowsInputsByAnnotations) {
  const CaptionFiles files;
  const Result result = run_pdvc({"caption", files.video("v_0"), files.video("v_1"), "--model",
                                  files.model(), "--annotations", files.annotations()});
  EXPECT_EQ(result.code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["results"].size(), 1u);
  EXPECT_TRUE(json["results"].contains("v_1"));
}

TEST(Caption, SaysTheSameForAnyThreadsAndBatch) {
  const CaptionFiles files;
  ASSERT_EQ(files.caption_all("one.json", {"--threads", "1", "--batch", "1"}).code, 0);
  const auto expected = sentences_in(files.out("one.json"));
  ASSERT_FALSE(expected.empty());
  for (const char* threads : {"1", "2", "5"})
    for (const char* batch : {"2", "5"}) {
      ASSERT_EQ(files.caption_all("other.json", {"--threads", threads, "--batch", batch}).code, 0);
      EXPECT_EQ(sentences_in(files.out("other.json")), expected) << threads << " " << batch;
    }
}

TEST(Caption, ReportsABrokenFileAndDoesTheOthers) {
  const CaptionFiles files;
  files.folder().write("features/v_2.npy", "not an array");
  const Result result = files.caption_all("out.json");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("v_2.npy: "));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  const Json json = Json::parse(contents_of(files.out("out.json")));
  EXPECT_EQ(json["results"].size(), 4u);
}

TEST(Caption, ResumesWithWhatIsMissing) {
  const CaptionFiles files;
  ASSERT_EQ(files.caption_all("whole.json").code, 0);
  files.folder().write("features/v_2.npy", "not an array");
  ASSERT_EQ(files.caption_all("out.json").code, 1);
  EXPECT_TRUE(std::filesystem::exists(files.out("out.json.part")));
  files.write_video("v_2", 31);
  // What is finished is not read again: these could not be.
  for (const char* done : {"v_0", "v_1", "v_3", "v_4"})
    files.folder().write("features/" + std::string(done) + ".npy", "gone");
  const Result resumed = files.caption_all("out.json", {"--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(contents_of(files.out("out.json")), contents_of(files.out("whole.json")));
  EXPECT_FALSE(std::filesystem::exists(files.out("out.json.part")));
}

TEST(Caption, PassesOverAJournalLineThatWasCutOff) {
  const CaptionFiles files;
  ASSERT_EQ(files.caption_all("whole.json").code, 0);
  files.folder().write("features/v_4.npy", "not an array");
  ASSERT_EQ(files.caption_all("out.json").code, 1);
  const std::string journal = contents_of(files.out("out.json.part"));
  files.folder().write("out.json.part", journal.substr(0, journal.size() - 20));
  files.write_video("v_4", 57);
  EXPECT_EQ(files.caption_all("out.json", {"--resume"}).code, 0);
  EXPECT_EQ(contents_of(files.out("out.json")), contents_of(files.out("whole.json")));
}

TEST(Caption, RefusesToResumeARunWithOtherOptions) {
  const CaptionFiles files;
  files.folder().write("features/v_2.npy", "not an array");
  ASSERT_EQ(files.caption_all("out.json").code, 1);
  const Result result = files.caption_all("out.json", {"--resume", "--beam", "2"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("out.json.part: was begun with another model"));
}

TEST(Caption, KeepsWhatIsFinishedWhenInterrupted) {
  const CaptionFiles files;
  for (int v = 0; v < 3000; ++v)
    std::filesystem::create_hard_link(files.video("v_4"), files.video("w_" + std::to_string(v)));
  const std::string out = files.out("out.json"), err = files.out("err");
  // The model has no rate of its own, so give one duration to all through annotations.
  std::string durations;
  for (int v = 0; v < 3000; ++v)
    durations += (v ? ", " : "") + ("\"w_" + std::to_string(v)) +
                 "\": {\"duration\": 60, \"timestamps\": [], \"sentences\": []}";
  files.folder().write("many.json", "{" + durations + "}");
  const std::string with_durations = quoted(PDVC_BINARY) + " caption " + quoted(files.features()) +
                                     " --model " + quoted(files.model()) + " --annotations " +
                                     quoted(files.out("many.json")) + " -o " + quoted(out) +
                                     " --batch 1 --progress json 2>" + quoted(err);
  const std::string script = with_durations + " & pid=$!; until [ -s " + quoted(err) +
                             " ]; do sleep 0.01; done; kill -INT $pid; wait $pid";
  const int status = std::system(("bash -c " + quoted(script)).c_str());
  ASSERT_EQ(WEXITSTATUS(status), 130) << contents_of(err);
  const Json json = Json::parse(contents_of(out));
  EXPECT_GT(json["results"].size(), 0u);
  EXPECT_LT(json["results"].size(), 3000u);
  EXPECT_TRUE(std::filesystem::exists(out + ".part"));
}

TEST(Caption, CaptionsGivenSegments) {
  const CaptionFiles files;
  const Result result = run_pdvc({"caption", files.video("v_1"), "--model", files.model(),
                                  "--proposals", files.annotations()});
  EXPECT_EQ(result.code, 0) << result.err;
  const Predictions predictions = parse_predictions(result.out, "out");
  ASSERT_EQ(predictions.videos.at(0).events.size(), 2u);
  EXPECT_NEAR(predictions.videos[0].events[0].segment.end, 9, 1e-4);
  EXPECT_NEAR(predictions.videos[0].events[1].segment.start, 10, 1e-4);
}

TEST(Caption, GivesEveryQueryOrAsManyAsAskedFor) {
  const CaptionFiles files;
  const auto events = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"caption",     files.video("v_1"), "--model",
                                      files.model(), "--duration",       "50"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = run_pdvc(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return static_cast<int64_t>(parse_predictions(result.out, "out").videos.at(0).events.size());
  };
  EXPECT_EQ(events({"--all-queries"}), files.queries());
  EXPECT_EQ(events({"--count", "2"}), 2);
  EXPECT_EQ(events({"--count", "2", "--beam", "3", "--max-words", "4"}), 2);
}

TEST(Caption, CutsLongVideosIntoWindows) {
  const CaptionFiles files;
  files.write_video("long", 700);
  const Result result = run_pdvc({"caption", files.video("long"), "--model", files.model(),
                                  "--duration", "7200", "--window", "600", "--count", "1"});
  EXPECT_EQ(result.code, 0) << result.err;
  const Predictions predictions = parse_predictions(result.out, "out");
  const auto& events = predictions.videos.at(0).events;
  ASSERT_GT(events.size(), 3u);
  EXPECT_GT(events.back().segment.end, 3600);
  for (const Event& event : events) EXPECT_LE(event.segment.length(), 600);
}

TEST(Caption, ExplainsWhatIsWrong) {
  const CaptionFiles files;
  const auto expect = [&](const std::vector<std::string>& words, int code,
                          const std::string& message) {
    const Result result = run_pdvc(words);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(result.out, "");
  };
  const std::string video = files.video("v_1"), model = files.model();
  expect({"caption", video, "--vocabulary", "words.json"}, 2,
         "--config and --vocabulary belong to a --model");
  expect({"caption", "--model", model}, 2, "nothing to caption");
  expect({"caption", video, "--model", model}, 1,
         "v_1: its duration is not known (give --duration or --annotations)");
  expect({"caption", video, "--model", model, "--duration", "9", "--format", "ass"}, 2, "ass");
  expect({"caption", video, "--model", model, "--duration", "9", "--format", "srt,vtt"}, 2,
         "several formats need a folder");
  expect({"caption", files.features(), "--model", model, "--annotations", files.annotations(),
          "--format", "srt"},
         2, "srt holds one video a file");
  expect({"caption", video, "--model", model, "--duration", "9", "-o", files.out("x.what")}, 2,
         "its name tells no format");
  expect({"caption", files.out("a.yml"), "--model", model}, 1, "is not a video");
  files.folder().write("features/narrow.npy", float_npy({3, 2}, {1, 2, 3, 4, 5, 6}));
  expect({"caption", files.video("narrow"), "--model", model, "--duration", "9", "-o",
          files.out("y.srt")},
         1, "narrow: features are 2 wide (the model expects ");
}

}  // namespace
}  // namespace pdvc
