#include "data/annotations.h"

#include <gmock/gmock.h>

#include "support/files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

std::string one_event(const std::string& times, const std::string& duration = "10") {
  return R"({"v_a": {"duration": )" + duration + R"(, "timestamps": [)" + times +
         R"(], "sentences": ["A man."]}})";
}

struct Parsed {
  std::vector<VideoEvents> videos;
  std::string log;
};

Parsed parse(const std::string& json, AnnotationRules rules = kTrainingData) {
  RecordingLog log;
  auto videos = parse_annotations(json, "a.json", rules, log);
  return {std::move(videos), log.str()};
}

std::string refusal(const std::string& json, AnnotationRules rules = kTrainingData) {
  return error_of([&] { parse(json, rules); });
}

}  // namespace

TEST(Annotations, AreReadInFileOrder) {
  const auto [videos, log] = parse(
      R"({"v_b": {"duration": 10.5, "timestamps": [[1, 2.5], [0, 10.5]], "sentences": ["One.", "Two."]},
                                       "v_a": {"duration": 3, "timestamps": [], "sentences": [], "extra": {"x": 1}}})");
  ASSERT_EQ(videos.size(), 2);
  EXPECT_EQ(videos[0].video, "v_b");
  EXPECT_EQ(videos[0].duration, 10.5);
  EXPECT_EQ(videos[0].events.at(1).segment, (Segment{0, 10.5}));
  EXPECT_EQ(videos[0].events[1].sentence, "Two.");
  EXPECT_TRUE(videos[1].events.empty());
  EXPECT_EQ(log, "");
}

TEST(Annotations, CutAnEndBeyondTheDurationSilentlyWhenItIsRounding) {
  const auto [videos, log] = parse(one_event("[3, 10.04]"));
  EXPECT_EQ(videos[0].events.at(0).segment, (Segment{3, 10}));
  EXPECT_EQ(log, "");
}

TEST(Annotations, WarnOnceWhenAnEndIsFarBeyondTheDuration) {
  const auto [videos, log] = parse(one_event("[3, 12.5]"));
  EXPECT_EQ(videos[0].events.at(0).segment, (Segment{3, 10}));
  EXPECT_EQ(log,
            "test: warning: a.json: 1 events end after their video and were cut, the most in v_a "
            "by 2.50 s\n");
}

TEST(Annotations, MayHaveEventsOfNoLength) {
  EXPECT_EQ(parse(one_event("[3, 3]")).videos[0].events.size(), 1);
}

TEST(Annotations, LeaveOutReversedEventsOfTrainingDataAndCountThem) {
  const auto [videos, log] = parse(one_event("[5, 3]"));
  EXPECT_TRUE(videos[0].events.empty());
  EXPECT_EQ(log,
            "test: warning: a.json: 1 events end before they start and were left out, the first in "
            "v_a\n");
}

TEST(Annotations, RefuseReversedProposals) {
  EXPECT_EQ(refusal(one_event("[5, 3]"), kProposals),
            "a.json: v_a: event 1: ends before it starts (5 to 3 s)");
}

TEST(Annotations, RefuseTimesThatAreNoTimes) {
  EXPECT_EQ(refusal(one_event("[-1, 3]")),
            "a.json: v_a: event 1: expected times of at least 0, got [-1,3]");
  EXPECT_EQ(refusal(one_event("[NaN, 3]")),
            "a.json: line 1, column 42: NaN and Infinity are not JSON");
  EXPECT_EQ(refusal(one_event("[null, 3]")),
            "a.json: v_a: event 1: expected [start, end] in seconds, got [null,3]");
  EXPECT_EQ(refusal(one_event("[1, 2, 3]")),
            "a.json: v_a: event 1: expected [start, end] in seconds, got [1,2,3]");
  EXPECT_EQ(refusal(one_event("[1, 2]", "0")),
            "a.json: v_a: duration: expected seconds above 0, got 0");
  EXPECT_EQ(refusal(one_event("[1, 2]", "\"long\"")),
            "a.json: v_a: duration: expected seconds above 0, got \"long\"");
}

TEST(Annotations, RefuseWhatIsMissing) {
  EXPECT_EQ(refusal(R"({"v": {"timestamps": [], "sentences": []}})"),
            "a.json: v: has no \"duration\"");
  EXPECT_EQ(refusal(R"({"v": {"duration": 1, "sentences": []}})"),
            "a.json: v: has no \"timestamps\"");
  EXPECT_EQ(refusal(R"({"v": {"duration": 1, "timestamps": [[0, 1]]}})"),
            "a.json: v: has no \"sentences\"");
  EXPECT_EQ(refusal(R"({"v": {"duration": 1, "timestamps": [[0, 1]], "sentences": []}})"),
            "a.json: v: 1 timestamps but 0 sentences");
  EXPECT_EQ(refusal(R"({"v": {"duration": 1, "timestamps": [[0, 1]], "sentences": [5]}})"),
            "a.json: v: event 1: expected a sentence, got 5");
  EXPECT_EQ(refusal(R"({"v": [1]})"),
            "a.json: v: expected {\"duration\", \"timestamps\", \"sentences\"}, got [1]");
  EXPECT_EQ(refusal("[]"), "a.json: expected a JSON object");
}

TEST(Annotations, RefuseAVideoThatStandsTwice) {
  EXPECT_EQ(
      refusal(
          R"({"v": {"duration": 1, "timestamps": [], "sentences": []}, "v": {"duration": 1, "timestamps": [], "sentences": []}})"),
      "a.json: v stands in it twice");
}

TEST(Annotations, OfProposalsNeedNoSentences) {
  EXPECT_EQ(parse(R"({"v": {"duration": 1, "timestamps": [[0, 1]]}})", kProposals)
                .videos[0]
                .events.size(),
            1);
}

TEST(Annotations, OfReferencesKeepTheirTimesAsWritten) {
  const auto references =
      parse(R"({"v": {"duration": 9, "timestamps": [[1, 12]], "sentences": ["a"]}})", kReferences);
  EXPECT_EQ(references.videos[0].events[0].segment, (Segment{1, 12}));
  EXPECT_EQ(references.log, "");
}

TEST(Annotations, OfPublishedDataSetsAreReadWithoutAWarning) {
  PDVC_NEEDS_SHARED("data/anet/val_1.json");
  for (const auto& [file, count] : {std::pair{"data/anet/train_modified.json", 10009},
                                    {"data/anet/val_1.json", 4917},
                                    {"data/anet/val_2.json", 4885},
                                    {"data/yc2/yc2_train.json", 1333},
                                    {"data/yc2/yc2_val.json", 457}}) {
    RecordingLog log;
    EXPECT_EQ(read_annotations(shared_file(file), kTrainingData, log).size(), count);
    EXPECT_EQ(log.str(), "");
  }
}

TEST(VideoList, IsAListOrTheKeysOfAnObject) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_video_list(folder.write("a.json", R"(["v_a", "v_b"])")),
              testing::UnorderedElementsAre("v_a", "v_b"));
  EXPECT_THAT(read_video_list(folder.write("b.json", R"({"v_c": 1})")),
              testing::UnorderedElementsAre("v_c"));
  const auto wrong = folder.write("c.json", "[3]");
  EXPECT_EQ(error_of([&] { read_video_list(wrong); }),
            wrong.string() + ": expected a video's name, got 3");
}

}  // namespace pdvc
