#include "video/extraction.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/interrupt.h"
#include "video/clip_stream.h"
#include "video/standard_input.h"

namespace pdvc {
namespace {

Array as_array(const std::vector<float>& values, int64_t width) {
  Array array(DType::f32, {static_cast<int64_t>(values.size()) / width, width});
  std::ranges::copy(values, array.floats().begin());
  return array;
}

void report_damage(const std::string& name, const ClipStream& clips, Log& log) {
  if (clips.damaged() > 0)
    log.warning(join_text(name, ": ", clips.damaged(), " damaged packets were skipped, ",
                          clips.frames(), " frames were read"));
}

// Errors name the file that it was put into, which nobody knows.
std::unique_ptr<VideoReader> open_standard_input(const StandardInput& input, int threads) try {
  return open_video(input.path(), threads);
} catch (const Error& error) {
  const std::string said = error.what(), file = input.path();
  fail("standard input", said.starts_with(file) ? said.substr(file.size()) : ": " + said);
}

}  // namespace

VideoFeatures features_of_video(const std::filesystem::path& path, ClipEncoder& encoder,
                                const ExtractionOptions& options, Log& log) {
  std::optional<StandardInput> standard_input;
  if (path == "-") standard_input.emplace();
  const auto name = standard_input ? "standard input" : path.string();
  auto reader = standard_input ? open_standard_input(*standard_input, options.threads)
                               : open_video(path, options.threads);
  std::string comment = reader->comment();
  const Rate rate = reader->constant_rate().value_or(Rate{25, 1});
  const Backbone& backbone = encoder.description();
  const double seconds_per_clip =
      static_cast<double>(backbone.stride) / backbone.frames_per_second.value_or(rate.value());
  const auto width = static_cast<size_t>(backbone.width);
  ClipStream clips(std::move(reader), encoder);
  std::vector<float> rows;
  while (const auto clip = clips.next()) {
    check_interrupt();
    rows.resize(rows.size() + width);
    encoder.encode(*clip, std::span(rows).last(width));
    options.advanced(seconds_per_clip);
  }
  report_damage(name, clips, log);
  return {as_array(rows, backbone.width), clips.duration(), std::move(comment)};
}

}  // namespace pdvc
