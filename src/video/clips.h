// Which frames of a video make up its clips.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "video/reader.h"

namespace pdvc {

struct ClipRule {
  // Where a clip's frames are counted from.
  enum class Origin {
    clip,   // from the clip's first frame, as the original of R(2+1)D does
    video,  // from the video's first frame: each is the one shown at its time
  };

  std::optional<double> frames_per_second;  // none: every frame of the video
  int64_t frames = 16;                      // of one clip
  int64_t stride = 16;                      // from clip to clip
  Origin origin = Origin::clip;
  // A rest of at least this many frames becomes a clip that repeats them; 0: it is dropped.
  int64_t shortest_rest = 0;
};

// The frames of one clip, by the ordinal of ShownFrame.
using ClipFrames = std::vector<int64_t>;

// Follows a video frame by frame. A video that is shorter than one clip gets one all the same,
// filled up with its last frame, or with its frames again where the rule repeats a rest.
class ClipSampler {
 public:
  // `constant`: the video's rate, if it has one.
  ClipSampler(const ClipRule& rule, std::optional<Rate> constant);

  struct Step {
    bool wanted = false;            // the frame belongs to a clip
    std::vector<ClipFrames> clips;  // that are complete now, in order
  };
  Step see(const ShownFrame& frame);

  // Frames before this one are in no clip to come.
  int64_t oldest_needed() const;
  double duration() const { return duration_; }  // of what has been seen, in seconds

 private:
  struct OpenClip {
    int64_t index;
    double start;  // of its frames, when they are counted from the clip's first
    ClipFrames frames;
  };

  // Places are frame numbers at a constant rate, else seconds.
  double end_place(const ShownFrame& frame) const;
  double wanted_place(int64_t sample) const;
  double wanted_place(const OpenClip& clip) const;
  int64_t samples() const;
  bool open_and_fill(const ShownFrame& frame);
  void take_complete(Step& step);
  void take_rest(const ShownFrame& frame, Step& step);

  ClipRule rule_;
  bool by_number_;
  int64_t source_step_ = 1, sample_step_ = 1;  // so many source frames are so many samples
  std::deque<OpenClip> open_;
  int64_t next_clip_ = 0;  // to be opened
  int64_t emitted_ = 0;
  int64_t seen_ = 0;  // frames, by number
  double duration_ = 0;
  int64_t next_ordinal_ = 0;
};

}  // namespace pdvc
