// What a long captioning run has finished, kept beside its output, so that nothing is done twice.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "event/event.h"

namespace pdvc {

// One JSON object a line: first what the run is (model and options), then one video each. A line
// that a crash has cut off is passed over.
class CaptionJournal {
 public:
  // `run` is one line that says what makes two runs the same. With `resume` the finished videos of
  // a journal of the same run are kept, of another refused; without, it begins anew.
  CaptionJournal(std::filesystem::path path, const std::string& run, bool resume);

  const std::map<std::string, VideoEvents>& finished() const { return finished_; }
  // Written through before it returns.
  void add(const VideoEvents& video);
  // Everything is in the output: the journal goes.
  void remove();

 private:
  void read(const std::string& run);

  std::filesystem::path path_;
  std::map<std::string, VideoEvents> finished_;
  std::ofstream out_;
};

}  // namespace pdvc
