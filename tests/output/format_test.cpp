#include "output/format.h"

#include <gmock/gmock.h>

#include <set>

#include "data/predictions.h"
#include "support/events.h"
#include "support/files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

const std::vector<OutputFormat> kAll =
    parse_formats("json,srt,vtt,txt,tsv,chapters-ffmetadata,chapters-youtube,chapters-vtt,html");

const VideoEvents kVideo{
    .video = "v",
    .duration = 60,
    .events = {event_of(0, 20, "a."), event_of(20, 40, "b."), event_of(40, 60, "c.")}};

std::string refusal(std::string_view list) {
  return error_of([&] { parse_formats(list); });
}

}  // namespace

TEST(Formats, AreListedByName) {
  EXPECT_THAT(parse_formats("srt"), ElementsAre(OutputFormat::srt));
  EXPECT_THAT(parse_formats("vtt,chapters-vtt,json"),
              ElementsAre(OutputFormat::vtt, OutputFormat::chapters_vtt, OutputFormat::json));
  EXPECT_THAT(parse_formats("chapters"), ElementsAre(OutputFormat::chapters_ffmetadata));
  for (const OutputFormat format : kAll)
    EXPECT_THAT(parse_formats(name_of(format)), ElementsAre(format));
}

TEST(Formats, NamedTwiceCountOnce) {
  EXPECT_THAT(parse_formats("txt,chapters,txt,chapters-ffmetadata"),
              ElementsAre(OutputFormat::txt, OutputFormat::chapters_ffmetadata));
}

TEST(Formats, ThatDoNotExistAreRefused) {
  const std::string known =
      "json, srt, vtt, txt, tsv, chapters-ffmetadata, chapters-youtube, chapters-vtt, html";
  EXPECT_EQ(refusal("srt,ass"), "unknown output format \"ass\" (there are " + known + ")");
  EXPECT_EQ(refusal("\x1b"), "unknown output format \"\\x1b\" (there are " + known + ")");
  for (const char* list : {"", "srt,", ",srt", "srt,,vtt"})
    EXPECT_THAT(refusal(list), testing::StartsWith("unknown output format \"\" (")) << list;
}

TEST(Formats, HaveFileNamesOfTheirOwn) {
  std::set<std::string_view> extensions;
  for (const OutputFormat format : kAll) {
    EXPECT_TRUE(extensions.insert(extension_of(format)).second);
    EXPECT_EQ(format_of_file("folder.srt/video.mp4" + std::string(extension_of(format))), format);
  }
  EXPECT_EQ(extension_of(OutputFormat::chapters_youtube), ".chapters.txt");
  EXPECT_EQ(format_of_file("video.mp4"), std::nullopt);
  EXPECT_EQ(format_of_file("captions.srt/video"), std::nullopt);
}

TEST(Render, GivesEachFormat) {
  const auto start = [](OutputFormat format) { return render(format, {&kVideo, 1}).substr(0, 12); };
  EXPECT_EQ(start(OutputFormat::json), "{\"results\": ");
  EXPECT_EQ(start(OutputFormat::srt), "1\n00:00:00,0");
  EXPECT_EQ(start(OutputFormat::vtt), "WEBVTT\n\n00:0");
  EXPECT_EQ(start(OutputFormat::txt), "  0:00.0 -  ");
  EXPECT_EQ(start(OutputFormat::tsv), "video\tstart\t");
  EXPECT_EQ(start(OutputFormat::chapters_ffmetadata), ";FFMETADATA1");
  EXPECT_EQ(start(OutputFormat::chapters_youtube), "0:00 a.\n0:20");
  EXPECT_EQ(start(OutputFormat::chapters_vtt), "WEBVTT\n\n00:0");
  EXPECT_EQ(start(OutputFormat::html), "<!doctype ht");
}

TEST(Render, PutsManyVideosWhereTheyFit) {
  const std::vector<VideoEvents> two{kVideo, {.video = "w"}};
  for (const OutputFormat format : kAll) {
    if (holds_many_videos(format))
      EXPECT_FALSE(render(format, two).empty());
    else
      EXPECT_EQ(error_of([&] { render(format, two); }),
                "a file of format " + std::string(name_of(format)) + " holds one video, not 2");
  }
  EXPECT_EQ(parse_predictions(render(OutputFormat::json, two), "p.json").videos.size(), 2);
  EXPECT_FALSE(holds_many_videos(OutputFormat::srt));
}

TEST(Formats, WarnWhenYoutubeWouldIgnoreTheChapters) {
  EXPECT_EQ(format_warning(OutputFormat::chapters_youtube, kVideo), std::nullopt);
  VideoEvents short_video = kVideo;
  short_video.duration = 30;
  EXPECT_EQ(format_warning(OutputFormat::chapters_youtube, short_video),
            "v: YouTube ignores fewer than 3 chapters; of at least 10 s there are 2");
  EXPECT_EQ(format_warning(OutputFormat::chapters_vtt, short_video), std::nullopt);
}

// Only chapters may leave a sentence out.
TEST(Render, ShowsEverySentenceOfRecordedPredictions) {
  PDVC_NEEDS_SHARED("golden/anet_c3d_pdvc/predictions_reranked.json");
  const Predictions recorded =
      read_predictions(shared_file("golden/anet_c3d_pdvc/predictions_reranked.json"));
  ASSERT_FALSE(recorded.videos.empty());
  for (const VideoEvents& video : recorded.videos)
    for (const Event& event : video.events)
      for (const char* format : {"json", "srt", "vtt", "txt", "tsv"})
        EXPECT_THAT(render(parse_formats(format).at(0), {&video, 1}),
                    testing::HasSubstr(event.sentence.substr(0, 20)))
            << format;
}

}  // namespace pdvc
