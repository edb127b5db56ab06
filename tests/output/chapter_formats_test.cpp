#include "output/chapter_formats.h"

#include <gtest/gtest.h>

#include "support/events.h"

namespace pdvc {
namespace {

const VideoEvents kThree{
    .video = "v",
    .duration = 4000,
    .events = {event_of(12.75, 30, "a <b> & c"), event_of(15, 30, "d=e;f#g\\h"),
               event_of(3700.5, 3900, "last\none")}};

}  // namespace

TEST(FfmetadataChapters, EscapeWhatMeansSomething) {
  EXPECT_EQ(ffmetadata_chapters(kThree),
            ";FFMETADATA1\n"
            "\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=12750\ntitle=Introduction\n"
            "\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=12750\nEND=15000\ntitle=a <b> & c\n"
            "\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=15000\nEND=3700500\ntitle=d\\=e\\;f\\#g\\\\h\n"
            "\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=3700500\nEND=4000000\ntitle=last one\n");
  EXPECT_EQ(ffmetadata_chapters({}), ";FFMETADATA1\n");
}

TEST(FfmetadataChapters, DoNotEndALineInABackslash) {
  EXPECT_TRUE(
      ffmetadata_chapters({.events = {event_of(0, 5, "odd \\")}}).ends_with("title=odd \\\\ \n"));
}

TEST(YoutubeChapters, AreTenSecondsLongWithoutAngleBrackets) {
  EXPECT_EQ(youtube_chapters(kThree),
            "0:00 Introduction\n"
            "0:12 a \u2039b\u203a & c\n"
            "1:01:40 last one\n");
  EXPECT_EQ(youtube_chapter_count(kThree), 3);
  EXPECT_EQ(youtube_chapters({}), "");
}

TEST(VttChapters, AreCues) {
  EXPECT_EQ(vtt_chapters(kThree),
            "WEBVTT\n"
            "\n00:00:00.000 --> 00:00:12.750\nIntroduction\n"
            "\n00:00:12.750 --> 00:00:15.000\na &lt;b&gt; &amp; c\n"
            "\n00:00:15.000 --> 01:01:40.500\nd=e;f#g\\h\n"
            "\n01:01:40.500 --> 01:06:40.000\nlast one\n");
  EXPECT_EQ(vtt_chapters({}), "WEBVTT\n");
}

}  // namespace pdvc
