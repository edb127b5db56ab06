// A video's frames in the order they are shown, each with its time.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "video/picture.h"

namespace pdvc {

// Frames per second, exact.
struct Rate {
  int64_t numerator = 0, denominator = 1;

  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  bool operator==(const Rate&) const = default;
};

// Which part of the video a frame stands for. Times count from the first frame shown.
struct ShownFrame {
  int64_t ordinal = 0;        // among the frames that could be decoded
  int64_t number = 0;         // at a constant rate, counting those that could not
  int64_t next_number = 0;    // of the frame after it
  double start = 0, end = 0;  // seconds
  bool last = false;
};

class VideoReader {
 public:
  virtual ~VideoReader() = default;

  // None where the frames' distances differ.
  virtual std::optional<Rate> constant_rate() const = 0;
  // Of the file's metadata.
  virtual std::string comment() const = 0;
  // Moves on to the next frame, the first at the first call; false behind the last one.
  virtual bool next() = 0;
  // Of the frame moved to; valid until the next move.
  virtual const ShownFrame& shown() const = 0;
  virtual FrameSize size() const = 0;  // upright
  // The frame in the wanted size, upright; 0 x 0: in its own.
  virtual void picture(FrameSize wanted, Picture& out) = 0;
  // Packets and frames so far that were damaged and left out.
  virtual int64_t damaged() const = 0;
};

// Reads a file. `threads` decode it; memory does not depend on its length. Throws when there is no
// video in it, or none that can be decoded.
std::unique_ptr<VideoReader> open_video(const std::filesystem::path& path, int threads);

}  // namespace pdvc
