#include "output/html.h"

#include <gmock/gmock.h>

#include "support/events.h"
#include "support/files.h"

namespace pdvc {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

VideoEvents three_events() {
  return {.video = "a film",
          .duration = 40,
          .events = {event_of(0, 10, "one."), event_of(5, 20, "two."), event_of(20, 30, "three.")}};
}

}  // namespace

TEST(Html, EscapesWhatWouldEndATextOrAnAttribute) {
  EXPECT_EQ(html_escaped("<a b=\"c\" d='e'> & f"),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; f");
  EXPECT_EQ(html_escaped("\xc3\xa9"), "\xc3\xa9");
}

TEST(Html, LetsNoSentenceOrNameBecomeMarkup) {
  const VideoEvents video{.video = "</title><script>alert(1)</script>",
                          .duration = 10,
                          .events = {event_of(0, 5, "\"><img src=x onerror='alert(2)'>")}};
  const std::string page = html_page(video);
  EXPECT_EQ(count_of(page, "<script"), 1);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("&quot;&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;"));
}

TEST(Html, ReplacesBytesThatAreNotText) {
  const VideoEvents video{.video = "v\xff", .duration = 10, .events = {event_of(0, 5, "a\xff")}};
  EXPECT_EQ(html_page(video).find('\xff'), std::string::npos);
}

TEST(Html, ShowsEveryEventInTheTimelineAndInTheList) {
  const std::string page = html_page(three_events());
  EXPECT_EQ(count_of(page, "class=\"event\""), 3);
  EXPECT_EQ(count_of(page, "<li "), 3);
  EXPECT_THAT(page, HasSubstr("--lane:1;--left:12.500%;--width:37.500%"));
  EXPECT_THAT(page, HasSubstr("data-event=\"2\" data-start=\"20.000\" data-end=\"30.000\""));
  EXPECT_THAT(page, HasSubstr("0:40.0, 3 events"));
}

TEST(Html, PutsOverlappingEventsIntoLanesAndUsesFreeOnesAgain) {
  const std::string page = html_page(three_events());
  EXPECT_THAT(page, HasSubstr("--lanes:2"));
  EXPECT_EQ(count_of(page, "--lane:0"), 2);
}

TEST(Html, WorksWithoutFilmAndWithoutEvents) {
  const std::string page = html_page({.video = "v", .duration = 5});
  EXPECT_THAT(page, Not(HasSubstr("<video")));
  EXPECT_THAT(page, HasSubstr("0 events"));
  EXPECT_THAT(html_page({.video = "v"}), HasSubstr("data-length=\"1.000\""));
}

TEST(Html, LoadsNothingFromElsewhere) {
  const std::string page = html_page(three_events(), "data:video/mp4;base64,AA==");
  EXPECT_EQ(page.find("http:"), std::string::npos);
  EXPECT_EQ(page.find("https:"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(Html, HoldsSmallFilms) {
  const TemporaryFolder folder;
  EXPECT_EQ(film_address(folder.write("a.webm", "Man"), folder.path()),
            "data:video/webm;base64,TWFu");
  EXPECT_EQ(film_address(folder.write("b.MP4", "Ma"), folder.path()), "data:video/mp4;base64,TWE=");
  EXPECT_EQ(film_address(folder.write("c.mp4", "M"), folder.path()), "data:video/mp4;base64,TQ==");
}

TEST(Html, LinksLargeFilms) {
  const TemporaryFolder folder;
  const auto film = folder.write("my \"film\" #1.mp4", "x");
  std::filesystem::resize_file(film, kLargestEmbeddedFilm + 1);
  EXPECT_EQ(film_address(film, folder / "pages"), "../my%20%22film%22%20%231.mp4");
}

}  // namespace pdvc
