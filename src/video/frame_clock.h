// Times of frames, whatever their time stamps are like.
#pragma once

#include <cstdint>
#include <optional>

#include "video/reader.h"

namespace pdvc {

// Given a video's time stamps in the order its frames are shown, says when each is: never earlier
// than the one before, from 0 on.
class FrameClock {
 public:
  // What a frame without time stamp lasts; frames are numbered at this rate.
  explicit FrameClock(Rate nominal) : rate_(nominal.value()) {}

  struct Place {
    double time = 0;     // seconds
    int64_t number = 0;  // time in frames; neighbours at the nominal rate have neighbouring numbers
  };
  // `stamp` in seconds; none where the file has none.
  Place place(std::optional<double> stamp);

 private:
  // When a frame with this stamp is shown; `usual`: when it would be without.
  double time_of(double stamp, double usual);
  void move_to(double time);

  double rate_;
  std::optional<double> offset_;  // from a time stamp to a time
  Place last_;
  double last_sure_ = 0;  // the last time that a stamp told
  bool first_ = true;
  bool last_was_odd_ = false;
};

}  // namespace pdvc
