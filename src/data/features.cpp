#include "data/features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/file_name.h"
#include "base/printable.h"
#include "tensor/npy.h"
#include "tensor/npz.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNamedMissing = 5;

// The name as given, and with "v_" put in front or taken off.
std::array<std::string, 2> spellings(const std::string& video) {
  return {video, video.starts_with("v_") ? video.substr(2) : "v_" + video};
}

// A name too long for the file system is the name of nothing.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// A video's name becomes part of a path; it must not lead out of the folder.
void check_name(const std::string& video) {
  const bool plain = !video.empty() && video != "." && video != ".." &&
                     video.find('/') == std::string::npos && video.find('\0') == std::string::npos;
  check(plain, "\"", printable(video),
        "\" cannot be the name of a video (expected a plain file name)");
}

// Nearly all features are finite, so the common case is one pass that the compiler turns into
// vector code.
bool all_finite(std::span<const float> values) {
  constexpr uint32_t kExponent = 0x7f800000;
  uint32_t found = 0;
  for (const float value : values)
    found |= static_cast<uint32_t>((std::bit_cast<uint32_t>(value) & kExponent) == kExponent);
  return found == 0;
}

int64_t clear_non_finite(std::span<float> values) {
  if (all_finite(values)) return 0;
  int64_t cleared = 0;
  for (float& value : values)
    if (!std::isfinite(value)) {
      value = 0;
      ++cleared;
    }
  return cleared;
}

}  // namespace

bool has_array_name(const fs::path& path) {
  const std::string extension = lower_extension(path);
  return extension == ".npy" || extension == ".npz";
}

bool has_hdf5_name(const fs::path& path) {
  const std::string extension = lower_extension(path);
  return extension == ".h5" || extension == ".hdf5";
}

FeatureStream parse_stream(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || is_there(text)) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string_view published_suffix(std::string_view type) {
  if (type == "resnet") return "_resnet";
  if (type == "bn") return "_bn";
  if (type == "i3d_rgb") return "_rgb";
  if (type == "i3d_flow") return "_flow";
  if (type == "vggish") return "_vggish";
  return "";
}

std::vector<FeatureStream> streams_from(const std::vector<std::string>& folders,
                                        const std::vector<std::string>& types) {
  check(!folders.empty(), "visual_feature_folder: expected a folder for ", types.size(),
        " feature types");
  check(folders.size() == 1 || folders.size() == types.size(),
        "visual_feature_folder: ", folders.size(), " folders for ", types.size(),
        " feature types (expected one, or one each)");
  std::vector<FeatureStream> streams;
  for (size_t i = 0; i < types.size(); ++i)
    streams.push_back(
        {folders[folders.size() == 1 ? 0 : i], std::string(published_suffix(types[i]))});
  return streams;
}

Array checked_features(Array array, const std::string& name, Log& log) {
  check(array.shape().size() == 2, name, ": expected [rows, channels], got ", array.shape().size(),
        " dimensions ", shape_text(array.shape()));
  check(is_floating(array.type()), name, ": expected floating point features, got ",
        name_of(array.type()));
  check(array.elements() > 0, name, ": holds no features, shape ", shape_text(array.shape()));
  if (array.type() != DType::f32) array = to_floats(array.view());
  if (const int64_t cleared = clear_non_finite(array.floats()))
    log.warning(join_text(name, ": ", cleared, " of ", array.elements(),
                          " values are NaN or infinite and were set to 0"));
  return array;
}

Array read_feature_file(const fs::path& path, Log& log) {
  if (lower_extension(path) == ".npz")
    return checked_features(read_npz_features(path), path.string(), log);
  return checked_features(read_npy(path), path.string(), log);
}

FeatureSource::FeatureSource(std::vector<FeatureStream> streams) {
  for (FeatureStream& stream : streams) {
    check(is_there(stream.where), stream.where, ": no such folder or file of features");
    const bool folder = fs::is_directory(stream.where);
    check(folder || has_hdf5_name(stream.where), stream.where,
          ": expected a folder or an .h5 file of features");
    streams_.push_back({stream, folder ? std::nullopt : std::optional<Hdf5File>(stream.where)});
  }
}

std::optional<fs::path> FeatureSource::find_file(const FeatureStream& stream,
                                                 const std::string& video) const {
  check_name(video);
  for (const std::string& name : spellings(video))
    for (const char* extension : {".npy", ".npz"})
      if (fs::path path = stream.where / (name + stream.suffix + extension); is_there(path))
        return path;
  return std::nullopt;
}

std::optional<std::string> FeatureSource::find_data_set(const Hdf5File& file,
                                                        const std::string& video) const {
  check_name(video);
  for (const std::string& name : spellings(video))
    if (file.contains(name)) return name;
  return std::nullopt;
}

std::vector<std::string> FeatureSource::names() const {
  std::vector<std::string> names;
  if (streams_.empty()) return names;
  const auto& [description, hdf5] = streams_.front();
  if (hdf5) {
    for (const Hdf5DataSet& entry : hdf5->contents().data_sets) names.push_back(entry.name);
  } else {
    for (const fs::directory_entry& entry : fs::directory_iterator(description.where)) {
      const fs::path& path = entry.path();
      const std::string name = path.stem().string();
      if ((path.extension() == ".npy" || path.extension() == ".npz") &&
          name.ends_with(description.suffix))
        names.push_back(name.substr(0, name.size() - description.suffix.size()));
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool FeatureSource::contains(const std::string& video) const {
  return std::ranges::all_of(streams_, [&](const Stream& stream) {
    return stream.hdf5 ? find_data_set(*stream.hdf5, video).has_value()
                       : find_file(stream.description, video).has_value();
  });
}

std::vector<Array> FeatureSource::read(const std::string& video, Log& log) const {
  std::vector<Array> result;
  for (const Stream& stream : streams_) {
    const fs::path& where = stream.description.where;
    if (stream.hdf5) {
      const auto name = find_data_set(*stream.hdf5, video);
      check(name.has_value(), where, ": has no features of ", printable(video));
      result.push_back(
          checked_features(stream.hdf5->read(*name), where.string() + ": " + *name, log));
    } else {
      const auto path = find_file(stream.description, video);
      check(path.has_value(), where, ": has no features of ", printable(video), " (expected ",
            printable(video), stream.description.suffix, ".npy or .npz)");
      result.push_back(read_feature_file(*path, log));
    }
  }
  return result;
}

FeatureCoverage coverage_of(const FeatureSource& source, const std::vector<std::string>& videos) {
  FeatureCoverage coverage;
  for (const std::string& video : videos)
    (source.contains(video) ? coverage.found : coverage.missing).push_back(video);
  return coverage;
}

void report_missing(const std::vector<std::string>& missing, size_t total, Log& log) {
  if (missing.empty()) return;
  std::string names;
  for (size_t i = 0; i < std::min(missing.size(), kNamedMissing); ++i)
    names += (i ? ", " : "") + printable(missing[i]);
  if (missing.size() > kNamedMissing)
    names += join_text(" and ", missing.size() - kNamedMissing, " more");
  log.warning(join_text(missing.size(), " of ", total, " videos have no features: ", names));
}

}  // namespace pdvc
