// `pdvc eval` as a user meets it. METEOR's data is kept out of sight, so that results are the same
// everywhere.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/files.h"

namespace pdvc {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct Result {
  int code;
  std::string out, err;
};

constexpr const char* kReferences = R"({
  "v_a": {"duration": 30, "timestamps": [[0, 10], [20, 30]], "sentences": ["A man runs.", "He jumps."]},
  "v_b": {"duration": 9, "timestamps": [[0, 5]], "sentences": ["A dog sleeps."]}})";
constexpr const char* kPredictions = R"({"results": {
  "v_a": [{"timestamp": [0, 10], "sentence": "A man runs."}, {"timestamp": [20, 29], "sentence": "He sits."}],
  "v_x": []}})";

struct Files {
  TemporaryFolder folder;
  std::string predictions = folder.write("p.json", kPredictions);
  std::string references = folder.write("val_1.json", kReferences);
  std::string paragraphs = folder.write("para.json", R"({"v_a": "A man runs. He jumps."})");

  Result eval(const std::vector<std::string>& words) const {
    std::string command =
        "PDVC_CACHE='" + (folder / "no-cache").string() + "' '" PDVC_BINARY "' eval";
    for (const std::string& word : words) command += " '" + word + "'";
    command += " 2>'" + (folder / "err").string() + "' >'" + (folder / "out").string() + "'";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), contents_of(folder / "out"), contents_of(folder / "err")};
  }

  // The one line that says that METEOR's data is missing is left out.
  std::string refusal(const std::string& json_text) const {
    const std::string bad = folder.write("bad.json", json_text);
    const Result result = eval({bad, "--references", references});
    EXPECT_EQ(result.code, 1) << json_text;
    EXPECT_EQ(result.out, "") << json_text;
    const std::string start = "pdvc: " + bad + ": ";
    EXPECT_TRUE(result.err.starts_with(start)) << result.err;
    return result.err.substr(std::min(start.size(), result.err.size()));
  }
};

}  // namespace

TEST(Eval, PrintsATableOfEachThresholdAndTheMean) {
  const Files files;
  const Result result = files.eval({files.predictions, "--references", files.references});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("p.json: 1 of 2 videos, 2 predictions for 3 reference events"));
  EXPECT_THAT(result.out, HasSubstr("without predictions, scored 0: v_b\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex(" 0.3 +0.5 +0.7 +0.9 +mean\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("Recall +50.00 +50.00 +50.00 +25.00 +43.75"));
  EXPECT_THAT(result.out, testing::ContainsRegex("METEOR 2018 +- +- +- +- +-\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("F1 +43.75\n"));
}

TEST(Eval, SaysHowToGetMeteorAndWhichVideosAreUnknown) {
  const Files files;
  const Result result = files.eval({files.predictions, "--references", files.references});
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("pdvc fetch meteor"));
  EXPECT_THAT(result.err, HasSubstr("p.json: videos in no reference file do not count: v_x"));
}

TEST(Eval, ShowsWhatWasSaidBesideTheTruth) {
  const Files files;
  const Result result = files.eval({files.predictions, "--references", files.references, "--show"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" truth   0:20.0 -  0:30.0  He jumps.\n"
                                    " said    0:20.0 -  0:29.0  He sits. (overlap 0.90)\n"));
  EXPECT_THAT(result.out, HasSubstr("v_b\n truth   0:00.0 -  0:05.0  A dog sleeps.\n"));
  EXPECT_EQ(files.eval({files.predictions, "--paragraphs", files.paragraphs, "--show"}).code, 2);
}

TEST(Eval, WritesJson) {
  const Files files;
  const Result result =
      files.eval({files.predictions, "--references", files.references, "--soda", "abcd",
                  "--paragraphs", files.paragraphs, "--json", "-", "--bootstrap", "20"});
  EXPECT_EQ(result.code, 0) << result.err;
  const json scores = json::parse(result.out);
  EXPECT_EQ(scores["dense"]["2018"]["Recall"].size(), 4);
  EXPECT_EQ(scores["dense"]["2021"]["mean"]["Recall"], 0.4375);
  EXPECT_EQ(scores["dense"]["2018"]["F1"], 0.4375);
  EXPECT_TRUE(scores["dense"]["2018"]["METEOR"][0].is_null());
  EXPECT_NEAR(scores["soda"]["d"]["val_1.json"][2].get<double>(), 0.95, 1e-6);
  EXPECT_NEAR(scores["soda"]["d"]["micro"]["val_1.json"].get<double>(), 0.95, 1e-6);
  EXPECT_NEAR(scores["soda"]["d"]["f1"].get<double>(), 0.95, 1e-6);
  EXPECT_TRUE(scores["soda"]["c"]["f1"].is_null());
  EXPECT_NEAR(scores["paragraph"]["Bleu_1"].get<double>(), 0.8, 1e-6);
  EXPECT_EQ(scores["videos"]["references"], 2);
  EXPECT_EQ(scores["videos"]["without_predictions"], json({"v_b"}));
  EXPECT_EQ(scores["bootstrap"]["scores"]["2018 Recall"]["interval"].size(), 2);
}

TEST(Eval, WritesALineForEachVideo) {
  const Files files;
  const std::string out = files.folder / "videos.jsonl";
  const Result result = files.eval({files.predictions, "--references", files.references,
                                    "--per-video", out, "--json", files.folder / "s.json"});
  EXPECT_EQ(result.code, 0) << result.err;
  std::istringstream lines(contents_of(out));
  std::vector<json> videos;
  for (std::string line; std::getline(lines, line);) videos.push_back(json::parse(line));
  ASSERT_EQ(videos.size(), 2);
  EXPECT_EQ(videos[0]["video"], "v_a");
  EXPECT_EQ(videos[0]["dense"]["2018"]["Recall"][0], 1);
  EXPECT_EQ(videos[1]["predictions"], 0);
  EXPECT_EQ(json::parse(contents_of(files.folder / "s.json"))["videos"]["references"], 2);
}

TEST(Eval, ShowsSeveralFilesSideBySide) {
  const Files files;
  const std::string other = files.folder.write("q.json", R"({"results": {}})");
  const Result result = files.eval({files.predictions, other, "--references", files.references,
                                    "--bootstrap", "50", "--protocol", "2018"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, testing::ContainsRegex("dense +p.json +q.json\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("Recall, mean +43.75 +0.00\n"));
  EXPECT_THAT(result.out, HasSubstr("differences from p.json, p two-sided"));
  EXPECT_THAT(result.out, Not(HasSubstr("2021")));
  const Result as_json =
      files.eval({files.predictions, other, "--references", files.references, "--json", "-"});
  EXPECT_EQ(json::parse(as_json.out)["q.json"]["dense"]["2018"]["F1"], 0);
}

TEST(Eval, ScoresParagraphsAlone) {
  const Files files;
  const Result result = files.eval({files.predictions, "--paragraphs", files.paragraphs});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("p.json: 1 of 1 paragraphs\n"));
  EXPECT_THAT(result.out, testing::ContainsRegex("Bleu_1 +80.00\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("SODA")));
}

TEST(Eval, ReportsABadFileAndDoesTheOthers) {
  const Files files;
  const std::string bad = files.folder.write("bad.json", "{");
  const Result result = files.eval({bad, files.predictions, "--references", files.references});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("bad.json: line 1, column 2: not valid JSON"));
  EXPECT_THAT(result.out, HasSubstr("p.json: 1 of 2 videos"));
}

TEST(Eval, RefusesWhatCannotBeScored) {
  const Files files;
  EXPECT_THAT(files.refusal("[]"), HasSubstr("expected a JSON object under \"results\""));
  EXPECT_THAT(files.refusal(R"({"results": []})"), HasSubstr("expected a JSON object"));
  EXPECT_THAT(files.refusal(R"({"results": {"v": [{"timestamp": [1, 0], "sentence": ""}]}})"),
              HasSubstr("v: event 1: ends before it starts"));
  EXPECT_THAT(files.refusal(R"({"results": {"v": [{"timestamp": [-1, 0], "sentence": ""}]}})"),
              HasSubstr("v: event 1: expected times of at least 0"));
  EXPECT_THAT(files.refusal(R"({"results": {"v": [{"timestamp": [NaN, 0], "sentence": ""}]}})"),
              HasSubstr("NaN and Infinity are not JSON"));
  EXPECT_THAT(files.refusal(R"({"results": {"v": [{"timestamp": [0, 1]}]}})"),
              HasSubstr("v: event 1: has no \"sentence\" of text"));
  EXPECT_THAT(files.refusal(R"({"results": {"v": [], "v": []}})"), HasSubstr("stands in it twice"));
}

TEST(Eval, RefusesWrongUsage) {
  const Files files;
  const auto expect_usage = [&](const std::vector<std::string>& words, const std::string& said) {
    const Result result = files.eval(words);
    EXPECT_EQ(result.code, 2) << said;
    EXPECT_THAT(result.err, HasSubstr(said));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  };
  expect_usage({files.predictions}, "expected --references or --paragraphs");
  expect_usage({"--references", files.references}, "required");
  expect_usage({files.predictions, "--references", files.references, "--soda", "e"},
               "--soda: expected c, abcd or none");
  expect_usage({files.predictions, "--references", files.references, "--protocol", "2019"},
               "--protocol");
  expect_usage({files.predictions, files.predictions, "--references", files.references},
               "is given twice");
}

TEST(Eval, ScoresLongAndForeignSentences) {
  const Files files;
  std::string longest = "a ";
  while (longest.size() < (size_t{10} << 20)) longest += "man runs \xf0\x9f\x98\x80 ";
  const json predictions = {
      {"results",
       {{"v_a",
         {{{"timestamp", {0, 10}}, {"sentence", longest}},
          {{"timestamp", {0, 10}}, {"sentence", "\xe4\xb8\x80\xe4\xb8\xaa\xe4\xba\xba"}},
          {{"timestamp", {0, 10}}, {"sentence", "\x01\x1b[31m \t"}}}}}}};
  const std::string file = files.folder.write("long.json", predictions.dump());
  const Result result = files.eval({file, "--references", files.references});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 of 2 videos"));
}

}  // namespace pdvc
