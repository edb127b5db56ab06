#include "shapes/corpus.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "data/annotations.h"
#include "data/paragraphs.h"
#include "support/files.h"
#include "support/program.h"
#include "video/probe.h"

namespace pdvc {
namespace {

using testing::HasSubstr;

}  // namespace

TEST(ShapesCorpus, SharesAreReadAndChecked) {
  const auto split = parse_split("train=0.75,val=0.25");
  ASSERT_EQ(split.size(), 2);
  EXPECT_EQ(split[1].name, "val");
  EXPECT_EQ(split[1].share, 0.25);
  EXPECT_THAT(error_of([] { parse_split("train=0.5,val=0.2"); }), HasSubstr("add up to 0.7"));
  EXPECT_THAT(error_of([] { parse_split("train=0.5,train=0.5"); }), HasSubstr("twice"));
  for (const char* text : {"", "train", "train=", "train=x", "dev=1", "train=1,", "train=-1,val=2"})
    EXPECT_THAT(error_of([&] { parse_split(text); }), HasSubstr("expected train, val or test"))
        << text;
}

// Like the frames' checksums: whoever changes it raises kShapesVersion.
TEST(ShapesCorpus, TheSameSeedGivesTheSameSentences) {
  std::vector<VideoEvents> videos;
  for (const FilmPlan& film : plan_films(20, 1, parse_split("train=0.5,val=0.5")))
    for (const Wording wording : {Wording::first, Wording::paraphrase})
      videos.push_back(events_of(film, scene_of(film), wording));
  EXPECT_EQ(checksum_of(as_bytes(annotations_text(videos))), 15417667000733440899U);
}

TEST(ShapesCorpus, FilmsCarryATagThatIsRecognized) {
  EXPECT_TRUE(is_shapes_film("pdvc-shapes 1"));
  EXPECT_FALSE(is_shapes_film("pdvc-shapesque"));
  EXPECT_FALSE(is_shapes_film(""));
}

TEST(ShapesCommand, WritesFilmsAnnotationsAndParagraphs) {
  const TemporaryFolder folder;
  const std::string out = folder / "corpus";
  const Result result = run_pdvc(
      {"shapes", "-o", out, "--videos", "2", "--seed", "4", "--split", "train=0.5,val=0.5"});
  ASSERT_EQ(result.code, 0) << result.err;
  RecordingLog log;
  for (const std::string split : {"train", "val"}) {
    const std::filesystem::path root(out);
    const auto annotations = read_annotations(root / (split + ".json"), kReferences, log);
    ASSERT_EQ(annotations.size(), 1);
    const VideoInfo film = probe_video(root / "videos" / (annotations[0].video + ".mp4"));
    EXPECT_TRUE(is_shapes_film(film.comment));
    EXPECT_NEAR(film.duration.value_or(0), annotations[0].duration.value_or(-1), 0.1);
    const auto again = read_annotations(root / (split + "_paraphrase.json"), kReferences, log);
    EXPECT_EQ(again[0].events.size(), annotations[0].events.size());
    const auto paragraphs = read_paragraphs(root / (split + "_paragraphs.json"));
    EXPECT_THAT(paragraphs.at(0).text, testing::StartsWith(annotations[0].events[0].sentence));
  }
  EXPECT_EQ(log.str(), "");
}

TEST(ShapesCommand, KeepsFinishedFilmsAndMakesMissingOnesAgain) {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"shapes", "-o", folder / "c", "--videos", "2",
                                       "--seed", "5",  "--split",    "val=1"};
  ASSERT_EQ(run_pdvc(words).code, 0);
  const auto films = folder / "c" / "videos";
  const auto kept = films / "shapes5_val_00000.mp4", missing = films / "shapes5_val_00001.mp4";
  const auto written = std::filesystem::last_write_time(kept);
  const std::string bytes = contents_of(missing);
  std::filesystem::remove(missing);
  ASSERT_EQ(run_pdvc(words).code, 0);
  EXPECT_EQ(std::filesystem::last_write_time(kept), written);
  EXPECT_EQ(contents_of(missing), bytes);
}

TEST(ShapesCommand, DoesNotMixTwoCorpora) {
  const TemporaryFolder folder;
  const auto with_seed = [&](const char* seed) {
    return run_pdvc({"shapes", "-o", folder / "c", "--videos", "1", "--seed", seed});
  };
  ASSERT_EQ(with_seed("1").code, 0);
  const Result result = with_seed("2");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("holds another corpus"));
}

TEST(ShapesCommand, RefusesWrongUsage) {
  EXPECT_EQ(run_pdvc({"shapes", "--videos", "1"}).code, 2);
  EXPECT_EQ(run_pdvc({"shapes", "-o", "/nowhere", "--videos", "0"}).code, 2);
  EXPECT_EQ(run_pdvc({"shapes", "-o", "/nowhere", "--videos", "1", "--split", "dev=1"}).code, 2);
}

}  // namespace pdvc
