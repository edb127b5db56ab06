#include "data/paragraphs.h"

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/error.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "base/printable.h"

namespace pdvc {

std::vector<VideoParagraph> parse_paragraphs(std::string_view text, const std::string& name) {
  std::vector<VideoParagraph> result;
  std::unordered_set<std::string> seen;
  for_each_json_entry(text, name, "", [&](const std::string& video, Json&& entry) {
    check(seen.insert(video).second, name, ": ", printable(video), " stands in it twice");
    check(entry.is_string(), name, ": ", printable(video), ": expected a paragraph of text, got ",
          json_excerpt(entry));
    result.push_back({video, entry.get<std::string>()});
  });
  return result;
}

std::vector<VideoParagraph> read_paragraphs(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_paragraphs(as_text(file.bytes()), path.string());
}

std::string paragraphs_text(std::span<const VideoParagraph> paragraphs) {
  std::string text = "{";
  const char* separator = "\n";
  for (const VideoParagraph& one : paragraphs) {
    text += separator + json_text(Json(one.video)) + ": " + json_text(Json(one.text));
    separator = ",\n";
  }
  return text + "\n}\n";
}

}  // namespace pdvc
