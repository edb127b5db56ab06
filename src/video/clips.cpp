#include "video/clips.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pdvc {
namespace {

// Seconds that are the same but for rounding.
constexpr double kSame = 1e-7;

__extension__ using Wide = __int128;  // a rate's numerator times a frame number

int64_t scaled(int64_t value, int64_t over, int64_t under) {
  return static_cast<int64_t>(static_cast<Wide>(value) * over / under);
}

}  // namespace

ClipSampler::ClipSampler(const ClipRule& rule, std::optional<Rate> constant)
    : rule_(rule), by_number_(constant.has_value() || !rule.frames_per_second) {
  if (!constant || !rule.frames_per_second) return;
  constexpr int64_t kMillion = 1'000'000;  // rates of networks are whole, or have a few digits
  const int64_t wanted = std::llround(*rule.frames_per_second * kMillion);
  source_step_ = constant->numerator * kMillion;
  sample_step_ = constant->denominator * wanted;
  const int64_t divisor = std::gcd(source_step_, sample_step_);
  source_step_ /= divisor;
  sample_step_ /= divisor;
}

double ClipSampler::end_place(const ShownFrame& frame) const {
  if (!by_number_) return frame.end;
  return static_cast<double>(rule_.frames_per_second ? frame.next_number : frame.ordinal + 1);
}

double ClipSampler::wanted_place(int64_t sample) const {
  if (!by_number_) return static_cast<double>(sample) / *rule_.frames_per_second;
  return static_cast<double>(scaled(sample, source_step_, sample_step_));
}

// Of the clip's next frame.
double ClipSampler::wanted_place(const OpenClip& clip) const {
  const auto frame = static_cast<int64_t>(clip.frames.size());
  if (rule_.origin == ClipRule::Origin::clip) return clip.start + wanted_place(frame);
  return wanted_place(clip.index * rule_.stride + frame);
}

// How many sampled frames the video has so far.
int64_t ClipSampler::samples() const {
  if (by_number_) return scaled(seen_, sample_step_, source_step_);
  return static_cast<int64_t>(std::floor(duration_ * *rule_.frames_per_second + kSame));
}

// A frame is shown at all places from its own up to the next frame's.
bool ClipSampler::open_and_fill(const ShownFrame& frame) {
  const double end = end_place(frame) - kSame;
  bool wanted = false;
  for (;; ++next_clip_) {
    const double start = wanted_place(next_clip_ * rule_.stride);
    if (start >= end) break;
    // Its first frame is this one, however short it is shown.
    open_.push_back({next_clip_, by_number_ ? start : frame.start, {frame.ordinal}});
    wanted = true;
  }
  for (OpenClip& clip : open_)
    while (clip.frames.size() < static_cast<size_t>(rule_.frames) && wanted_place(clip) < end) {
      clip.frames.push_back(frame.ordinal);
      wanted = true;
    }
  return wanted;
}

void ClipSampler::take_complete(Step& step) {
  const int64_t available = samples();
  while (!open_.empty() && open_.front().index * rule_.stride + rule_.frames <= available) {
    step.clips.push_back(std::move(open_.front().frames));
    open_.pop_front();
    ++emitted_;
  }
}

// What is left at the video's end.
void ClipSampler::take_rest(const ShownFrame& frame, Step& step) {
  if (open_.empty()) return;
  OpenClip& rest = open_.front();
  const auto length = static_cast<size_t>(rule_.frames);
  const int64_t available = samples() - rest.index * rule_.stride;
  const bool repeats = rule_.shortest_rest > 0;
  if (emitted_ > 0 && !(repeats && available >= rule_.shortest_rest)) return;
  if (repeats) {
    const auto kept = static_cast<size_t>(std::max<int64_t>(available, 1));
    if (rest.frames.size() > kept) rest.frames.resize(kept);
    for (size_t i = 0; rest.frames.size() < length; ++i) rest.frames.push_back(rest.frames[i]);
  } else if (rest.frames.size() < length) {
    rest.frames.resize(length, frame.ordinal);
    step.wanted = true;
  }
  step.clips.push_back(std::move(rest.frames));
  ++emitted_;
}

ClipSampler::Step ClipSampler::see(const ShownFrame& frame) {
  Step step;
  step.wanted = open_and_fill(frame);
  seen_ = rule_.frames_per_second ? frame.next_number : frame.ordinal + 1;
  duration_ = frame.end;
  next_ordinal_ = frame.ordinal + 1;
  take_complete(step);
  if (frame.last) {
    take_rest(frame, step);
    open_.clear();
  }
  return step;
}

int64_t ClipSampler::oldest_needed() const {
  return open_.empty() ? next_ordinal_ : open_.front().frames.front();
}

}  // namespace pdvc
