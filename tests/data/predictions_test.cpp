#include "data/predictions.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "data/ranking.h"
#include "support/files.h"

namespace pdvc {
namespace {

std::string refusal(const std::string& json) {
  return error_of([&] { parse_predictions(json, "p.json"); });
}

}  // namespace

TEST(Predictions, NeedOnlyTimesAndSentences) {
  const auto p = parse_predictions(
      R"({"external_data": "x", "results": {"v_b": [{"timestamp": [1, 2], "sentence": "Hi.", "mood": []}], "v_a": []}})",
      "p.json");
  ASSERT_EQ(p.videos.size(), 2);
  EXPECT_EQ(p.videos[0].video, "v_b");
  EXPECT_EQ(p.videos[0].events.at(0).segment, (Segment{1, 2}));
  EXPECT_FALSE(p.videos[0].events[0].proposal_score.has_value());
  EXPECT_FALSE(p.external_data.used);
}

TEST(Predictions, KeepEverythingThroughAFile) {
  const std::string text = contents_of(test_file("predictions.json"));
  const Predictions first = parse_predictions(text, "p.json");
  EXPECT_GT(first.videos.size(), 1);
  const Json before = Json::parse(text)["results"],
             after = Json::parse(predictions_text(first))["results"];
  EXPECT_EQ(after, before);
}

TEST(Predictions, StandInTheOriginalsOrder) {
  const VideoEvents video{.video = "v_a",
                          .duration = 20,
                          .events = {{.segment = {1.5, 12},
                                      .sentence = "a \"man\".",
                                      .proposal_score = 0.5,
                                      .sentence_score = -2.25,
                                      .joint_score = 0.25,
                                      .query = 4}},
                          .predicted_count = 1};
  const Predictions predictions{.videos = {video, {.video = "v_b"}},
                                .external_data = {.used = true, .details = "C3D"}};
  const std::string text = predictions_text(predictions);
  EXPECT_EQ(parse_predictions(text, "p.json").external_data.details, "C3D");
  EXPECT_TRUE(parse_predictions(text, "p.json").external_data.used);
  EXPECT_EQ(text, R"({"results": {
"v_a": [{"timestamp":[1.5,12.0],"raw_box":[1.5,12.0],"proposal_score":0.5,"sentence":"a \"man\".","sentence_score":-2.25,"query_id":4,"vid_duration":20.0,"pred_event_count":1,"joint_score":0.25}],
"v_b": []
}, "version": "VERSION 1.0", "external_data": {"used":true,"details":"C3D"}}
)");
}

TEST(Predictions, KeepFloatsToTheLastBit) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> score(-30, 1);
  Predictions written{.videos = {{.video = "v"}}};
  for (int i = 0; i < 200; ++i)
    written.videos[0].events.push_back(
        {.segment = {0, 1}, .sentence = "x.", .sentence_score = score(random)});
  const Predictions read = parse_predictions(predictions_text(written), "p.json");
  for (size_t i = 0; i < 200; ++i)
    EXPECT_EQ(read.videos.at(0).events.at(i).sentence_score,
              written.videos[0].events[i].sentence_score);
}

TEST(Predictions, AreValidWhateverTheWordsAre) {
  const Predictions written{
      .videos = {
          {.video = "v\xff", .events = {{.segment = {0, 1}, .sentence = "a\x80\n\x01 \"."}}}}};
  const Predictions read = parse_predictions(predictions_text(written), "p.json");
  EXPECT_EQ(read.videos.at(0).video, "v\uFFFD");
  EXPECT_EQ(read.videos[0].events.at(0).sentence, "a\uFFFD\n\x01 \".");
}

TEST(Predictions, LeaveOutScoresThatAreNoNumbers) {
  const Predictions written{.videos = {{.video = "v",
                                        .duration = INFINITY,
                                        .events = {{.segment = {0, 1},
                                                    .sentence = "x.",
                                                    .proposal_score = NAN,
                                                    .sentence_score = -INFINITY}}}}};
  EXPECT_THAT(
      predictions_text(written),
      testing::HasSubstr(R"([{"timestamp":[0.0,1.0],"raw_box":[0.0,1.0],"sentence":"x."}])"));
}

TEST(Predictions, AreNotWrittenWhereTheyCouldNotBeRead) {
  const auto refusal_to_write = [](std::vector<VideoEvents> videos) {
    return error_of([&] { predictions_text({.videos = std::move(videos)}); });
  };
  EXPECT_EQ(refusal_to_write({{.video = "v"}, {.video = "v"}}), "v: two videos have this name");
  EXPECT_EQ(refusal_to_write({{.video = "v\xfe"}, {.video = "v\xff"}}),
            "v\\xff: two videos have this name");
  for (const Segment time : {Segment{2, 1}, {-1, 1}, {NAN, 1}, {0, NAN}, {0, INFINITY}})
    EXPECT_THAT(refusal_to_write({{.video = "v", .events = {{.segment = time}}}}),
                testing::StartsWith("v: event 1: cannot be written with times "));
}

// Key by key what the original wrote.
TEST(Predictions, HaveTheLayoutOfTheOriginals) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/predictions.json");
  for (const char* file : {"predictions.json", "predictions_reranked.json"}) {
    const std::string text = contents_of(shared_file(std::string("golden/anet_c3d_pdvc/") + file));
    const auto wanted = nlohmann::ordered_json::parse(text)["results"];
    const std::string written = predictions_text(parse_predictions(text, file));
    EXPECT_EQ(nlohmann::ordered_json::parse(written)["results"].dump(), wanted.dump()) << file;
  }
}

TEST(Predictions, RefuseWhatCannotBeScored) {
  EXPECT_EQ(refusal("[]"), "p.json: expected a JSON object under \"results\"");
  EXPECT_EQ(refusal("{}"), "p.json: expected a JSON object under \"results\"");
  EXPECT_EQ(refusal(R"({"results": {"v": 1}})"), "p.json: v: expected a list of events, got 1");
  EXPECT_EQ(refusal(R"({"results": {"v": [1]}})"),
            "p.json: v: event 1: expected {\"timestamp\", \"sentence\"}, got 1");
  EXPECT_EQ(refusal(R"({"results": {"v": [{"sentence": "a"}]}})"),
            "p.json: v: event 1: has no \"timestamp\"");
  EXPECT_EQ(refusal(R"({"results": {"v": [{"timestamp": [0, 1]}]}})"),
            "p.json: v: event 1: has no \"sentence\" of text");
  EXPECT_EQ(refusal(R"({"results": {"v": [{"timestamp": [2, 1], "sentence": "a"}]}})"),
            "p.json: v: event 1: ends before it starts (2 to 1 s)");
  EXPECT_EQ(
      refusal(R"({"results": {"v": [{"timestamp": [0, 1], "sentence": "a", "query_id": "x"}]}})"),
      "p.json: v: event 1: query_id: expected a number, got \"x\"");
  EXPECT_EQ(refusal(R"({"results": {"v": [], "v": []}})"), "p.json: v: stands in it twice");
}

TEST(Predictions, OfRealSystemsAreRead) {
  PDVC_NEEDS_SHARED("data/predictions/jittered.json");
  for (const auto& [file, count] : {std::pair{"jittered", 4347},
                                    {"mdvc_gt_val_1", 4483},
                                    {"bmt_gt_val_1", 4483},
                                    {"gt_c_val_1", 4695}})
    EXPECT_EQ(read_predictions(shared_file(std::string("data/predictions/") + file + ".json"))
                  .videos.size(),
              count);
}

TEST(Ranking, CountsWhiteSpaceSeparatedWords) {
  EXPECT_EQ(word_count("a man  runs."), 3);
  EXPECT_EQ(word_count(""), 0);
  EXPECT_EQ(word_count(" \t"), 0);
}

TEST(Ranking, WeighsTheSentenceAgainstItsLength) {
  const Event event{
      .segment = {0, 1}, .sentence = "a b.", .proposal_score = 0.5, .sentence_score = -2.0};
  EXPECT_DOUBLE_EQ(joint_score(event, {.weight = 0.3, .gamma = 2}), 0.5 + 0.3 * -2.0 / (4 + 1e-5));
  const Event silent{
      .segment = {0, 1}, .sentence = "", .proposal_score = 0.5, .sentence_score = 0.0};
  EXPECT_DOUBLE_EQ(joint_score(silent, {}), 0.5);
}

TEST(Ranking, TakesTheCountersBestButAtLeastOne) {
  EXPECT_EQ(predicted_event_count(std::vector<float>{9, 1, 2}), 1);
  EXPECT_EQ(predicted_event_count(std::vector<float>{0, 1, 2}), 2);
  EXPECT_EQ(predicted_event_count(std::vector<float>{0, 5, 5}), 1);
}

TEST(Ranking, KeepsTheBestByStartTime) {
  const auto event = [](double start, double score) {
    return Event{.segment = {start, start + 1},
                 .sentence = "x.",
                 .proposal_score = score,
                 .sentence_score = 0.0};
  };
  const auto kept = rank_events({event(5, 0.9), event(1, 0.2), event(3, 0.8)}, 2, {});
  ASSERT_EQ(kept.size(), 2);
  EXPECT_EQ(kept[0].segment.start, 3);
  EXPECT_EQ(kept[1].segment.start, 5);
  EXPECT_TRUE(rank_events({}, 3, {}).empty());
}

// The original's own selection from all queries, for every model that was recorded.
TEST(Ranking, SelectsWhatTheOriginalSelected) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/predictions.json");
  for (const auto& [run, weight] : {std::pair{"anet_c3d_pdvc", 1.0},
                                    {"anet_c3d_pdvcl", 0.3},
                                    {"formula/light", 0.3},
                                    {"formula/standard", 1.0},
                                    {"formula/two_streams", 1.0}}) {
    const Predictions all =
        read_predictions(shared_file(std::string("golden/") + run + "/predictions.json"));
    const Predictions wanted =
        read_predictions(shared_file(std::string("golden/") + run + "/predictions_reranked.json"));
    ASSERT_EQ(all.videos.size(), wanted.videos.size());
    for (size_t v = 0; v < all.videos.size(); ++v) {
      const auto kept = rank_events(all.videos[v].events, all.videos[v].predicted_count.value(),
                                    {.weight = weight});
      ASSERT_EQ(kept.size(), wanted.videos[v].events.size()) << run << " " << all.videos[v].video;
      for (size_t i = 0; i < kept.size(); ++i) {
        EXPECT_EQ(kept[i].query, wanted.videos[v].events[i].query) << run;
        EXPECT_NEAR(*kept[i].joint_score, *wanted.videos[v].events[i].joint_score, 1e-6) << run;
      }
    }
  }
}

}  // namespace pdvc
