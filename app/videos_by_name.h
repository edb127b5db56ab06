// Videos of an annotation or prediction file, found by name.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "event/event.h"

namespace pdvc {

// Looked up with and without "v_" in front.
class VideosByName {
 public:
  VideosByName() = default;
  explicit VideosByName(std::vector<VideoEvents> videos) : videos_(std::move(videos)) {
    for (size_t i = 0; i < videos_.size(); ++i) index_.emplace(plain(videos_[i].video), i);
  }

  const VideoEvents* find(const std::string& name) const {
    const auto found = index_.find(plain(name));
    return found == index_.end() ? nullptr : &videos_[found->second];
  }
  const std::vector<VideoEvents>& all() const { return videos_; }

 private:
  static std::string plain(const std::string& name) {
    return name.starts_with("v_") ? name.substr(2) : name;
  }

  std::vector<VideoEvents> videos_;
  std::unordered_map<std::string, size_t> index_;
};

}  // namespace pdvc
