// Features of videos from folders of .npy and .npz files or from HDF5, one or several streams.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "tensor/array.h"
#include "tensor/hdf5.h"

namespace pdvc {

// One kind of features: a folder of {video}{suffix}.npy or .npz, or an HDF5 file with a data set
// {video}.
struct FeatureStream {
  std::filesystem::path where;
  std::string suffix;
};

// "DIR" or "DIR:SUFFIX", as the command line has it.
FeatureStream parse_stream(const std::string& text);
// What the published files of a feature type end in: "_resnet", "_bn", "_rgb", "_flow", "_vggish",
// else nothing.
std::string_view published_suffix(std::string_view feature_type);
// The streams that a setting's visual_feature_folder and visual_feature_type name together.
std::vector<FeatureStream> streams_from(const std::vector<std::string>& folders,
                                        const std::vector<std::string>& types);

// Whether a file's name says that it holds one array, or many.
bool has_array_name(const std::filesystem::path& path);
bool has_hdf5_name(const std::filesystem::path& path);

// One features file: [rows, channels] of floating point numbers, as f32. Values that are not finite
// become 0 and are counted in a warning.
Array read_feature_file(const std::filesystem::path& path, Log& log);
// The same rules for features from elsewhere. `name` is for messages.
Array checked_features(Array array, const std::string& name, Log& log);

// Finds and reads the features of videos by name; names match with and without "v_" in front.
class FeatureSource {
 public:
  // Throws when a folder or file is missing.
  explicit FeatureSource(std::vector<FeatureStream> streams);

  // All videos of the first stream, by name.
  std::vector<std::string> names() const;
  // Whether every stream has the video.
  bool contains(const std::string& video) const;
  // Of each stream [rows, channels]; throws when one is missing or damaged.
  std::vector<Array> read(const std::string& video, Log& log) const;

 private:
  struct Stream {
    FeatureStream description;
    std::optional<Hdf5File> hdf5;
  };
  std::optional<std::filesystem::path> find_file(const FeatureStream& stream,
                                                 const std::string& video) const;
  std::optional<std::string> find_data_set(const Hdf5File& file, const std::string& video) const;

  std::vector<Stream> streams_;
};

// Which of the videos have features, in the order given, and which have not.
struct FeatureCoverage {
  std::vector<std::string> found;
  std::vector<std::string> missing;
};
FeatureCoverage coverage_of(const FeatureSource& source, const std::vector<std::string>& videos);
// One warning that names the first few.
void report_missing(const std::vector<std::string>& missing, size_t total, Log& log);

}  // namespace pdvc
