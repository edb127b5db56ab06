#include "feature_store.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "base/error.h"
#include "data/feature_origin.h"
#include "tensor/hdf5.h"
#include "tensor/hdf5_writer.h"
#include "tensor/npy.h"
#include "tensor/npy_writer.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHdf5Name = "features.h5";
constexpr const char* kPartsName = ".parts";

bool holds_features(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".npy" || entry.path().filename() == kHdf5Name;
  });
}

}  // namespace

FeatureStore::FeatureStore(fs::path folder, FeatureFormat format, const Backbone& backbone)
    : folder_(std::move(folder)),
      parts_(format == FeatureFormat::hdf5 ? folder_ / kPartsName : folder_),
      format_(format),
      backbone_(backbone) {
  check(!fs::exists(folder_) || fs::is_directory(folder_), folder_,
        ": is a file (expected a folder)");
  fs::create_directories(folder_);
  check_made_by(folder_, backbone);
  check(origin_of(folder_) || !holds_features(folder_), folder_,
        ": holds features that do not say what made them (expected an empty folder, or one of pdvc "
        "extract)");
}

fs::path FeatureStore::file_of(const std::string& video) const { return parts_ / (video + ".npy"); }

bool FeatureStore::has(const std::string& video) const {
  if (fs::exists(file_of(video))) return true;
  const fs::path all = folder_ / kHdf5Name;
  return format_ == FeatureFormat::hdf5 && fs::exists(all) && Hdf5File(all).contains(video);
}

void FeatureStore::add(const std::string& video, const Array& rows) {
  fs::create_directories(parts_);
  std::call_once(described_, [&] { write_origin(folder_, backbone_); });
  write_npy(file_of(video), rows.view());
}

void FeatureStore::finish() {
  if (format_ != FeatureFormat::hdf5 || !fs::exists(parts_)) return;
  const fs::path all = folder_ / kHdf5Name;
  // By name: a run that was killed while it removed its parts has them in the file as well.
  std::map<std::string, std::function<Array()>> readers;
  if (fs::exists(all)) {
    auto before = std::make_shared<const Hdf5File>(all);
    for (const Hdf5DataSet& set : before->contents().data_sets)
      readers[set.name] = [before, name = set.name] { return before->read(name); };
  }
  for (const fs::directory_entry& part : fs::directory_iterator(parts_))
    if (part.path().extension() == ".npy")
      readers[part.path().stem().string()] = [path = part.path()] { return read_npy(path); };
  std::vector<Hdf5Entry> entries;
  for (auto& [name, read] : readers) entries.push_back({name, std::move(read)});
  write_hdf5(all, entries);
  fs::remove_all(parts_);
}

}  // namespace pdvc
