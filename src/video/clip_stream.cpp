#include "video/clip_stream.h"

namespace pdvc {
namespace {

constexpr size_t kMostReady = 2;  // clips; more would only take memory

}  // namespace

ClipStream::ClipStream(std::unique_ptr<VideoReader> reader, ClipEncoder& encoder)
    : reader_(std::move(reader)), encoder_(encoder), thread_([this] { read(); }) {}

ClipStream::~ClipStream() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::optional<PreparedClip> ClipStream::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return finished_ || !ready_.empty(); });
  if (ready_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return std::nullopt;
  }
  PreparedClip clip = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return clip;
}

void ClipStream::read() {
  std::exception_ptr failure;
  try {
    read_all();
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    failure_ = failure;
    finished_ = true;
  }
  changed_.notify_all();
}

void ClipStream::read_all() {
  ClipSampler sampler(encoder_.rule(), reader_->constant_rate());
  std::map<int64_t, ClipFramePointer> kept;  // by ordinal
  Picture picture;
  while (reader_->next()) {
    const ShownFrame& shown = reader_->shown();
    const ClipSampler::Step step = sampler.see(shown);
    if (step.wanted) {
      reader_->picture(encoder_.frame_size(), picture);
      kept[shown.ordinal] = encoder_.prepare(picture);
    }
    for (const ClipFrames& frames : step.clips) {
      PreparedClip clip;
      for (const int64_t ordinal : frames) clip.push_back(kept.at(ordinal));
      if (!put(std::move(clip))) return;
    }
    kept.erase(kept.begin(), kept.lower_bound(sampler.oldest_needed()));
    frames_ = shown.ordinal + 1;
  }
  duration_ = sampler.duration();
  damaged_ = reader_->damaged();
}

// Waits for room; false when nobody wants the clip any more.
bool ClipStream::put(PreparedClip clip) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || ready_.size() < kMostReady; });
  if (stopping_) return false;
  ready_.push_back(std::move(clip));
  lock.unlock();
  changed_.notify_all();
  return true;
}

}  // namespace pdvc
