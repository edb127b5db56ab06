// The clips of a video, decoded and resized ahead by a thread of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "video/encoder.h"
#include "video/reader.h"

namespace pdvc {

using PreparedClip = std::vector<ClipFramePointer>;

class ClipStream {
 public:
  // Starts reading. `encoder` must outlive it.
  ClipStream(std::unique_ptr<VideoReader> reader, ClipEncoder& encoder);
  ~ClipStream();
  ClipStream(const ClipStream&) = delete;
  ClipStream& operator=(const ClipStream&) = delete;

  // Waits for the next clip; none behind the last. Rethrows what went wrong while reading.
  std::optional<PreparedClip> next();

  // After the last clip:
  double duration() const { return duration_; }  // seconds that the frames are shown
  int64_t frames() const { return frames_; }
  int64_t damaged() const { return damaged_; }

 private:
  void read();
  void read_all();
  bool put(PreparedClip clip);

  std::unique_ptr<VideoReader> reader_;
  ClipEncoder& encoder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<PreparedClip> ready_;
  bool finished_ = false, stopping_ = false;
  std::exception_ptr failure_;
  double duration_ = 0;
  int64_t frames_ = 0, damaged_ = 0;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace pdvc
