#include "tensor/npz.h"

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"
#include "tensor/zip.h"

namespace pdvc {
namespace {

constexpr std::string_view kSuffix = ".npy";

std::string array_name(const ZipEntry& entry) {
  return entry.name.substr(0, entry.name.size() - kSuffix.size());
}

ZipArchive open_archive(Bytes file, const std::string& name) {
  check(looks_like_zip(file), name, ": is not a .npz file (expected a zip archive)");
  return {file, name};
}

std::vector<const ZipEntry*> array_entries(const ZipArchive& archive, const std::string& name) {
  std::vector<const ZipEntry*> result;
  for (const ZipEntry& entry : archive.entries())
    if (entry.name.ends_with(kSuffix)) result.push_back(&entry);
  check(!result.empty(), name, ": holds no .npy array");
  return result;
}

Array read_entry(const ZipArchive& archive, const ZipEntry& entry, const std::string& name) {
  archive.verify(entry);
  return parse_npy(archive.contents(entry).bytes, name + ": " + printable(entry.name));
}

}  // namespace

std::vector<NamedArray> parse_npz(Bytes file, const std::string& name) {
  const ZipArchive archive = open_archive(file, name);
  std::vector<NamedArray> result;
  for (const ZipEntry* entry : array_entries(archive, name))
    result.push_back({array_name(*entry), read_entry(archive, *entry, name)});
  return result;
}

std::vector<NamedArray> read_npz(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_npz(file.bytes(), path.string());
}

Array read_npz_features(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::string name = path.string();
  const ZipArchive archive = open_archive(file.bytes(), name);
  const auto entries = array_entries(archive, name);
  if (entries.size() == 1) return read_entry(archive, *entries[0], name);
  const ZipEntry* entry = archive.find("features.npy");
  check(entry != nullptr, name, ": holds ", entries.size(), " arrays, none named \"features\"");
  return read_entry(archive, *entry, name);
}

}  // namespace pdvc
