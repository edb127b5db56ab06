#include "feature_store.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file_reader.h"
#include "tensor/hdf5.h"
#include "tensor/hdf5_writer.h"
#include "tensor/npy.h"
#include "tensor/npy_writer.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHdf5Name = "features.h5";
constexpr const char* kPartsName = ".parts";
// Says what made the features: rows of the same width may come from different networks.
constexpr const char* kDescriptionName = "backbone.json";

}  // namespace

void check_made_by(const fs::path& folder, const Backbone& backbone) {
  const fs::path file = folder / kDescriptionName;
  if (!fs::exists(file)) return;
  const MappedFile mapped(file);
  const Json found = parse_json(as_text(mapped.bytes()), file.string()),
             wanted = backbone_json(backbone);
  check(found == wanted, file, ": these are features of ", json_excerpt(found), " (expected ",
        json_excerpt(wanted), ")");
}

FeatureStore::FeatureStore(fs::path folder, FeatureFormat format, const Backbone& backbone)
    : folder_(std::move(folder)),
      parts_(format == FeatureFormat::hdf5 ? folder_ / kPartsName : folder_),
      format_(format),
      backbone_(backbone) {
  check(!fs::exists(folder_) || fs::is_directory(folder_), folder_,
        ": is a file (expected a folder)");
  fs::create_directories(folder_);
  check_made_by(folder_, backbone);
  write_file(folder_ / kDescriptionName, json_text(backbone_json(backbone)) + "\n");
}

fs::path FeatureStore::file_of(const std::string& video) const { return parts_ / (video + ".npy"); }

bool FeatureStore::has(const std::string& video) const {
  if (fs::exists(file_of(video))) return true;
  const fs::path all = folder_ / kHdf5Name;
  return format_ == FeatureFormat::hdf5 && fs::exists(all) && Hdf5File(all).contains(video);
}

void FeatureStore::add(const std::string& video, const Array& rows) {
  fs::create_directories(parts_);
  write_npy(file_of(video), rows.view());
}

void FeatureStore::finish() {
  if (format_ != FeatureFormat::hdf5 || !fs::exists(parts_)) return;
  const fs::path all = folder_ / kHdf5Name;
  std::vector<Hdf5Entry> entries;
  if (fs::exists(all)) {
    auto before = std::make_shared<const Hdf5File>(all);
    for (const Hdf5DataSet& set : before->contents().data_sets)
      entries.push_back({set.name, [before, name = set.name] { return before->read(name); }});
  }
  for (const fs::directory_entry& part : fs::directory_iterator(parts_))
    if (part.path().extension() == ".npy")
      entries.push_back(
          {part.path().stem().string(), [path = part.path()] { return read_npy(path); }});
  std::ranges::sort(entries, {}, &Hdf5Entry::name);
  write_hdf5(all, entries);
  fs::remove_all(parts_);
}

}  // namespace pdvc
