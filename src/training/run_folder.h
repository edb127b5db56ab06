// The folder of a run, and what is settled before its first step: settings and vocabulary.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/log.h"
#include "data/settings.h"
#include "event/event.h"
#include "text/vocabulary.h"

namespace pdvc {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path settings() const { return path_ / "settings.yml"; }
  std::filesystem::path vocabulary() const { return path_ / "vocabulary.json"; }
  std::filesystem::path last() const { return path_ / "last.safetensors"; }
  std::filesystem::path best() const { return path_ / "best.safetensors"; }
  std::filesystem::path log() const { return path_ / "log.jsonl"; }
  std::filesystem::path predictions() const { return path_ / "predictions_best.json"; }
  std::filesystem::path summary() const { return path_ / "summary.md"; }
  const std::filesystem::path& path() const { return path_; }

  // Makes it for a new run; throws when it holds one already or cannot be written.
  void create() const;
  // Throws unless it holds a run.
  void check_holds_run() const;

 private:
  std::filesystem::path path_;
};

// The text of a settings file with every value.
std::string settings_text(const Settings& settings);

}  // namespace pdvc
