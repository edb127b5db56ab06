// From a video file to rows of features.
#pragma once

#include <filesystem>
#include <functional>

#include "base/log.h"
#include "tensor/array.h"
#include "video/encoder.h"

namespace pdvc {

struct VideoFeatures {
  Array rows;           // f32 [clips, width]
  double duration = 0;  // seconds that the video's frames are shown
  std::string comment;  // of the file's metadata
};

struct ExtractionOptions {
  int threads = 1;  // that decode
  // Called after each clip with the seconds of video that it moved on by.
  std::function<void(double)> advanced = [](double) {};
};

// `path` may be "-", standard input. Damage is skipped and reported in one warning. Throws when
// nothing can be decoded, and Interrupted when the user asks to stop.
VideoFeatures features_of_video(const std::filesystem::path& path, ClipEncoder& encoder,
                                const ExtractionOptions& options, Log& log);

}  // namespace pdvc
