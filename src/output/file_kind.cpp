#include "output/file_kind.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "data/settings.h"
#include "tensor/checkpoint.h"
#include "tensor/hdf5.h"
#include "tensor/safetensors.h"
#include "tensor/zip.h"

namespace pdvc {
namespace {

constexpr const char* kUnknownJson =
    ": is JSON of no known kind (expected annotations, predictions, a vocabulary or settings)";

FileKind kind_of_zip(Bytes bytes, const std::string& name) {
  const ZipArchive archive(bytes, name);
  const bool arrays = std::ranges::any_of(archive.entries(),
                                          [](const auto& e) { return e.name.ends_with(".npy"); });
  return arrays ? FileKind::npz : FileKind::checkpoint;
}

// Told from the first entry: files can be large and this only chooses the reader.
class FirstEntry : public std::exception {
 public:
  explicit FirstEntry(FileKind found) : kind(found) {}
  FileKind kind;
};

FileKind kind_of_entry(const std::string& key, const Json& value, const std::string& name) {
  if (key == "ix_to_word" || key == "word_to_ix") return FileKind::vocabulary;
  if (key == "results" || key == "version" || key == "external_data") return FileKind::predictions;
  if (value.is_object() && (value.contains("timestamps") || value.contains("duration")))
    return FileKind::annotations;
  Settings settings;
  if (fields_of(settings).find(key)) return FileKind::settings;
  check(value.is_string(), name, kUnknownJson);
  return FileKind::paragraphs;
}

FileKind kind_of_object(std::string_view text, const std::string& name) try {
  for_each_json_entry(text, name, "", [&](const std::string& key, Json&& value) {
    throw FirstEntry(kind_of_entry(key, value, name));
  });
  return FileKind::annotations;  // {}: none at all
} catch (const FirstEntry& first) {
  return first.kind;
}

FileKind kind_of_array(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  check(std::ranges::all_of(json, [](const Json& item) { return item.is_string(); }), name,
        kUnknownJson);
  return FileKind::video_list;
}

// What the contents do not tell, the name claims; that format's reader then says what is wrong.
FileKind kind_of_name(const std::filesystem::path& path) {
  const std::string extension = path.extension();
  if (extension == ".yml" || extension == ".yaml" || extension == ".json")
    return FileKind::settings;
  if (extension == ".npy") return FileKind::npy;
  if (extension == ".npz") return FileKind::npz;
  if (extension == ".safetensors") return FileKind::safetensors;
  if (extension == ".h5" || extension == ".hdf5") return FileKind::hdf5;
  if (extension == ".pth" || extension == ".pt" || extension == ".ckpt")
    return FileKind::checkpoint;
  return FileKind::other;
}

}  // namespace

FileKind kind_of_file(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return FileKind::folder;
  const MappedFile file(path);
  const Bytes bytes = file.bytes();
  const std::string_view text = as_text(bytes);
  if (text.starts_with("\x93NUMPY")) return FileKind::npy;
  if (looks_like_hdf5(bytes)) return FileKind::hdf5;
  if (looks_like_zip(bytes)) return kind_of_zip(bytes, path.string());
  if (looks_like_safetensors(bytes)) return FileKind::safetensors;
  if (looks_like_checkpoint(bytes)) return FileKind::checkpoint;
  const size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const char start = first == std::string_view::npos ? '\0' : text[first];
  if (start == '{') return kind_of_object(text, path.string());
  if (start == '[' && path.extension() == ".json") return kind_of_array(text, path.string());
  return kind_of_name(path);
}

}  // namespace pdvc
