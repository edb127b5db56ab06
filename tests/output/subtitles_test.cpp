#include "output/subtitles.h"

#include <gmock/gmock.h>

#include <random>
#include <sstream>

#include "base/printable.h"
#include "support/events.h"

namespace pdvc {
namespace {

const VideoEvents kOverlap{.video = "v",
                           .duration = 4000,
                           .events = {event_of(0.5, 5, "a man <b>runs</b> & jumps."),
                                      event_of(3, 3700.25,
                                               "he shows --> a long way to the very "
                                               "end of the field.")}};

// Words and bytes that break careless writers.
std::string hostile_sentence(std::mt19937& random) {
  static const std::vector<std::string> pieces = {
      "word",     "-->",      "---->",  "<i>",    "&amp;",
      "\n",       "\r\n\r\n", "\t",     " ",      "\xff",
      "\xc3\xa9", "1",        "WEBVTT", "NOTE",   "00:00:01,000 --> 00:00:02,000",
      "\u2028",   "--",       ">",      "{\\an8}"};
  std::uniform_int_distribution<size_t> length(0, 12), piece(0, pieces.size() - 1);
  std::string sentence;
  for (size_t i = length(random); i > 0; --i) sentence += pieces[piece(random)];
  return sentence;
}

VideoEvents hostile_video(std::mt19937& random) {
  std::uniform_real_distribution<double> time(0, 20);
  VideoEvents video{.duration = 20};
  for (int i = 0; i < 6; ++i) {
    const double start = time(random);
    video.events.push_back(event_of(start, start + time(random) / 3, hostile_sentence(random)));
  }
  return video;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expect_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    ASSERT_GT(utf8_length(text), 0);
    text.remove_prefix(utf8_length(text));
  }
}

// "dd:dd:dd,ddd" of "01:23:45,678".
std::string shape_of(std::string text) {
  for (char& c : text)
    if (c >= '0' && c <= '9') c = 'd';
  return text;
}

// Finds cues the way a player does, by their times: of the right form, one after the other, and
// with text below.
void expect_cues(const std::vector<std::string>& lines, const std::string& time_shape) {
  std::string before;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("-->") == std::string::npos) continue;
    ASSERT_EQ(shape_of(lines[i]), time_shape + " --> " + time_shape);
    const std::string start = lines[i].substr(0, time_shape.size());
    const std::string end = lines[i].substr(lines[i].size() - time_shape.size());
    EXPECT_LE(before, start);  // of equal width, so text compares like times
    EXPECT_LT(start, end);
    before = end;
    ASSERT_LT(i + 1, lines.size());
    EXPECT_FALSE(lines[i + 1].empty());
  }
}

}  // namespace

TEST(Srt, NumbersCuesAndWrapsLines) {
  EXPECT_EQ(srt_text(kOverlap),
            "1\n00:00:00,500 --> 00:00:03,000\na man <b>runs</b> & jumps.\n\n"
            "2\n00:00:03,000 --> 00:00:05,000\na man <b>runs</b> & jumps.\n"
            "he shows -> a long way to the very end of\nthe field.\n\n"
            "3\n00:00:05,000 --> 01:01:40,250\n"
            "he shows -> a long way to the very end of\nthe field.\n");
  EXPECT_EQ(srt_text({}), "");
}

TEST(Vtt, EscapesTagsAndArrows) {
  EXPECT_EQ(
      vtt_text(kOverlap),
      "WEBVTT\n\n00:00:00.500 --> 00:00:03.000\na man &lt;b&gt;runs&lt;/b&gt; &amp; jumps.\n\n"
      "00:00:03.000 --> 00:00:05.000\na man &lt;b&gt;runs&lt;/b&gt; &amp; jumps.\n"
      "he shows --&gt; a long way to the very end of\nthe field.\n\n"
      "00:00:05.000 --> 01:01:40.250\n"
      "he shows --&gt; a long way to the very end of\nthe field.\n");
  EXPECT_EQ(vtt_text({}), "WEBVTT\n");
}

TEST(Srt, SurvivesAnyText) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    const std::string text = srt_text(hostile_video(random));
    expect_valid_utf8(text);
    const std::vector<std::string> lines = lines_of(text);
    expect_cues(lines, "dd:dd:dd,ddd");
    // Exactly one blank line before every number but the first, and nowhere else.
    int number = 1;
    for (size_t i = 0; i < lines.size(); ++i)
      if (i == 0 || lines[i - 1].empty()) {
        EXPECT_EQ(lines[i], std::to_string(number++)) << text;
      }
  }
}

TEST(Vtt, SurvivesAnyText) {
  std::mt19937 random(6);
  for (int round = 0; round < 500; ++round) {
    const std::string text = vtt_text(hostile_video(random));
    expect_valid_utf8(text);
    const std::vector<std::string> lines = lines_of(text);
    expect_cues(lines, "dd:dd:dd.ddd");
    EXPECT_EQ(lines.at(0), "WEBVTT");
    EXPECT_EQ(text.find('<'), std::string::npos);
    for (size_t i = 1; i < lines.size(); ++i)
      if (lines[i - 1].empty()) {
        EXPECT_NE(lines[i].find(" --> "), std::string::npos) << text;
      }
  }
}

}  // namespace pdvc
