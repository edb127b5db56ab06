#include "data/feature_videos.h"

#include <algorithm>

#include "base/error.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

FeatureVideo video_of_file(const fs::path& path) {
  return {path.stem().string(), [path](Log& log) {
            VideoRows rows;
            rows.streams.push_back(read_feature_file(path, log));
            return rows;
          }};
}

std::vector<FeatureVideo> videos_of_hdf5(const fs::path& path) {
  auto file = std::make_shared<const Hdf5File>(path);
  std::vector<FeatureVideo> videos;
  for (const Hdf5DataSet& entry : file->contents().data_sets)
    videos.push_back({entry.name, [file, path, name = entry.name](Log& log) {
                        VideoRows rows;
                        rows.streams.push_back(
                            checked_features(file->read(name), path.string() + ": " + name, log));
                        return rows;
                      }});
  return videos;
}

std::vector<fs::path> sorted_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<FeatureVideo> videos_in(const fs::path& input) {
  if (!fs::is_directory(input)) {
    check_is_file(input);
    if (has_hdf5_name(input)) return videos_of_hdf5(input);
    check(has_array_name(input), input,
          ": expected features (.npy, .npz, .h5) or a folder of them");
    return {video_of_file(input)};
  }
  std::vector<FeatureVideo> videos;
  for (const fs::path& file : sorted_files(input)) {
    if (has_array_name(file)) videos.push_back(video_of_file(file));
    if (!has_hdf5_name(file)) continue;
    auto inside = videos_of_hdf5(file);
    std::ranges::move(inside, std::back_inserter(videos));
  }
  check(!videos.empty(), input, ": holds no features (.npy, .npz or .h5)");
  return videos;
}

std::vector<FeatureVideo> videos_in(const std::shared_ptr<const FeatureSource>& source) {
  std::vector<std::string> missing;
  return videos_named(source, source->names(), missing);
}

std::vector<FeatureVideo> videos_named(const std::shared_ptr<const FeatureSource>& source,
                                       const std::vector<std::string>& names,
                                       std::vector<std::string>& missing) {
  std::vector<FeatureVideo> videos;
  for (const std::string& name : names)
    if (source->contains(name))
      videos.push_back({name, [source, name](Log& log) -> VideoRows {
                          return {.streams = source->read(name, log), .duration = {}};
                        }});
    else
      missing.push_back(name);
  return videos;
}

}  // namespace pdvc
