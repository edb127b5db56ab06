// Which videos to caption: feature files, folders and HDF5 files on the command line, or streams.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/features.h"

namespace pdvc {

// Features of one video, and what whoever made them knows of it.
struct VideoRows {
  std::vector<Array> streams;  // [rows, channels] each
  std::optional<double> duration;
  std::string comment;  // of the video file that they were made of here; else empty
};

// A video whose features can be read.
struct FeatureVideo {
  std::string name;
  std::function<VideoRows(Log&)> read;
  std::filesystem::path film;  // that its features are made of; empty: they are in a file
};

// The videos of a feature file (its name without the extension), of an HDF5 file (each data set) or
// of a folder (each .npy, .npz and .h5 file in it), by name. Throws for anything else.
std::vector<FeatureVideo> videos_in(const std::filesystem::path& input);
// Every video that the first stream has, by name.
std::vector<FeatureVideo> videos_in(const std::shared_ptr<const FeatureSource>& source);
// The named videos, in that order; those without features are left out and put into `missing`.
std::vector<FeatureVideo> videos_named(const std::shared_ptr<const FeatureSource>& source,
                                       const std::vector<std::string>& names,
                                       std::vector<std::string>& missing);

}  // namespace pdvc
