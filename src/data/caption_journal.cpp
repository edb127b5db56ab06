#include "data/caption_journal.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/mapped_file.h"
#include "data/predictions.h"

namespace pdvc {
namespace {

constexpr const char* kRun = "pdvc caption";

std::string header_of(const std::string& run) { return json_text(Json{{kRun, run}}); }

// A video as a prediction file of its own, without line breaks.
std::string line_of(const VideoEvents& video) {
  std::string text = predictions_text({.videos = {video}});
  std::erase(text, '\n');
  return text;
}

}  // namespace

CaptionJournal::CaptionJournal(std::filesystem::path path, const std::string& run, bool resume)
    : path_(std::move(path)) {
  if (resume && std::filesystem::exists(path_)) read(run);
  out_.open(path_, finished_.empty() ? std::ios::trunc : std::ios::app);
  check(out_.is_open(), path_, ": cannot be written");
  // A line that was cut off ends here, so that the next one is whole.
  out_ << (finished_.empty() ? header_of(run) : "") << '\n' << std::flush;
}

void CaptionJournal::read(const std::string& run) {
  std::ifstream in(path_);
  std::string line;
  if (!std::getline(in, line)) return;
  check(line == header_of(run), path_,
        ": was begun with another model or other options (run without --resume to begin anew)");
  while (std::getline(in, line)) {
    if (line.empty()) continue;
    try {
      for (VideoEvents& video : parse_predictions(line, path_.string()).videos)
        finished_[video.video] = std::move(video);
    } catch (const Error&) {
      // Cut off when the run was killed: that video is done again.
    }
  }
}

void CaptionJournal::add(const VideoEvents& video) {
  out_ << line_of(video) << '\n' << std::flush;
  check(out_.good(), path_, ": cannot be written");
}

void CaptionJournal::remove() {
  out_.close();
  std::filesystem::remove(path_);
}

}  // namespace pdvc
