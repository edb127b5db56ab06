// Where captions go: standard output, one file, or a folder with a file for each video and format.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "command.h"
#include "data/caption_journal.h"
#include "output/format.h"

namespace pdvc {

struct OutputPlan {
  enum class Place { standard_output, file, folder };
  Place place = Place::standard_output;
  std::filesystem::path path;
  std::vector<OutputFormat> formats;
};

// `out` and `formats` as the command line has them; throws UsageError when they do not go together
// or with the number of videos.
OutputPlan plan_output(const std::string& out, const std::string& formats, size_t videos,
                       bool terminal);

// Takes videos as they are finished. Files of a folder are written at once; anything else at the
// end, in the order of the videos.
class CaptionOutput {
 public:
  // `names`: all videos, in order. `run`: see CaptionJournal.
  CaptionOutput(const OutputPlan& plan, std::vector<std::string> names, const std::string& run,
                bool resume, Session& session);

  // Where the film of each video is, for formats that show it.
  void set_films(std::map<std::string, std::filesystem::path> films) { films_ = std::move(films); }

  // Whether an earlier run has done it.
  bool has(const std::string& video) const;
  void add(VideoEvents video);
  // Writes what there is. `complete`: nothing is missing, and nothing needs to be resumed.
  void finish(bool complete);

 private:
  std::filesystem::path file_of(const std::string& video, OutputFormat format) const;
  std::string text_of(OutputFormat format, std::span<const VideoEvents> videos) const;

  OutputPlan plan_;
  std::vector<std::string> names_;
  Session& session_;
  std::map<std::string, std::filesystem::path> films_;
  std::map<std::string, VideoEvents> done_;
  std::optional<CaptionJournal> journal_;
};

}  // namespace pdvc
