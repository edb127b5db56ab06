// A video's events as chapters: consecutive, from its beginning to its end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"

namespace pdvc {

// Times in milliseconds.
struct Chapter {
  int64_t start = 0;
  int64_t end = 0;
  std::string title;  // one line
};

// The rule. An event with words and length may begin a chapter where it starts, and its sentence is
// the title. No chapter is shorter than `shortest` milliseconds: an event that starts in the first
// of them begins at 0 or, where that is nearer and it still lasts then, right after them; one that
// starts in the last of them before the video's end (where the duration is not known, the end of
// the last event) begins none. Events are tried by falling joint score (else proposal score; of
// equal ones the earlier first), and one that would begin less than `shortest` from a chosen one is
// left out. A chapter lasts until the next one begins, the last until the end. If none begins at 0,
// "Introduction" does. Only a video shorter than `shortest` has a shorter chapter. Without such
// events there are no chapters.
std::vector<Chapter> chapters_of(const VideoEvents& video, int64_t shortest);

}  // namespace pdvc
