#include "evaluation/meteor_source.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"
#include "tensor/zip.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJar = "meteor-1.5.jar";
constexpr const char* kParaphrases = "paraphrase-en.gz";

bool is_named(std::string_view path, std::string_view name) {
  return path == name || path.ends_with("/" + std::string(name));
}

// Lines without their ends; a last line without one counts, an empty last one does not.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(" \t")));
    line.remove_prefix(words.back().size());
  }
}

struct TextFile {
  std::string name;
  std::string text;
};

TextFile member(const ZipArchive& jar, const std::string& jar_name, std::string_view name) {
  const ZipEntry* entry = jar.find(name);
  check(entry != nullptr, jar_name, ": holds no ", name);
  return {jar_name + ": " + std::string(name), std::string(as_text(jar.contents(*entry).bytes))};
}

// Files of two lines an entry: a word, and what belongs to it.
template <class Entry>
void for_each_entry(const TextFile& file, Entry&& entry) {
  const auto lines = lines_of(file.text);
  check(lines.size() % 2 == 0, file.name, ": ends within an entry (expected two lines each)");
  for (size_t i = 0; i < lines.size(); i += 2) entry(lines[i], words_of(lines[i + 1]));
}

void read_prefixes(const TextFile& file, MeteorWordLists& lists) {
  for (const std::string_view line : lines_of(file.text)) {
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    const bool before_number = words.size() > 1 && words[1].starts_with("#NUMERIC_ONLY#");
    (before_number ? lists.prefixes_before_number : lists.prefixes).emplace_back(words[0]);
  }
}

uint32_t set_number(std::string_view text, const TextFile& file) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  check(error == std::errc() && end == text.data() + text.size(), file.name,
        ": expected the number of a synonym set, got ", printable(text));
  return number;
}

void read_synonyms(const TextFile& file, MeteorWordLists& lists) {
  for_each_entry(file, [&](std::string_view word, const std::vector<std::string_view>& sets) {
    // Texts are compared word by word: entries of several words never match.
    if (word.find('_') != std::string_view::npos) return;
    auto& entry = lists.synonyms.emplace_back();
    entry.word = word;
    for (const std::string_view set : sets) entry.sets.push_back(set_number(set, file));
  });
}

void read_irregular_forms(const TextFile& file, MeteorWordLists& lists) {
  for_each_entry(file, [&](std::string_view base, const std::vector<std::string_view>& forms) {
    for (const std::string_view form : forms)
      lists.irregular_forms.push_back({.word = std::string(form), .base = std::string(base)});
  });
}

// The first file of that name below a folder.
std::optional<fs::path> find_below(const fs::path& folder, std::string_view name) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename() == name && entry.is_regular_file()) return entry.path();
  return std::nullopt;
}

}  // namespace

MeteorSource::MeteorSource(const fs::path& wheel_or_folder) {
  if (fs::is_directory(wheel_or_folder))
    read_folder(wheel_or_folder);
  else
    read_wheel(wheel_or_folder);
}

void MeteorSource::read_wheel(const fs::path& wheel) {
  mapped_.push_back(std::make_unique<MappedFile>(wheel));
  const Bytes file = mapped_.back()->bytes();
  check(looks_like_zip(file), wheel, ": is not a wheel (expected pycocoevalcap 1.2 or a folder)");
  const ZipArchive archive(file, wheel.string());
  const auto take = [&](const char* name) -> File {
    for (const ZipEntry& entry : archive.entries()) {
      if (!is_named(entry.name, name)) continue;
      archive.verify(entry);
      ZipContents contents = archive.contents(entry);
      const bool in_place = contents.buffer.empty();
      const Bytes bytes =
          in_place ? contents.bytes : Bytes(unpacked_.emplace_back(std::move(contents.buffer)));
      return {wheel.string() + ": " + name, bytes};
    }
    fail(wheel, ": holds no ", name, " (expected the PyPI package pycocoevalcap 1.2)");
  };
  jar_ = take(kJar);
  paraphrases_ = take(kParaphrases);
}

void MeteorSource::read_folder(const fs::path& folder) {
  const auto take = [&](const char* name) -> File {
    const auto path = find_below(folder, name);
    check(path.has_value(), folder, ": holds no ", name);
    mapped_.push_back(std::make_unique<MappedFile>(*path));
    return {path->string(), mapped_.back()->bytes()};
  };
  jar_ = take(kJar);
  paraphrases_ = take(kParaphrases);
}

MeteorWordLists MeteorSource::word_lists() const {
  const ZipArchive jar(jar_.bytes, jar_.name);
  MeteorWordLists lists;
  const TextFile function_words = member(jar, jar_.name, "function/english.words");
  for (const std::string_view line : lines_of(function_words.text))
    for (const std::string_view word : words_of(line)) lists.function_words.emplace_back(word);
  read_prefixes(member(jar, jar_.name, "nonbreaking/english.prefixes"), lists);
  read_synonyms(member(jar, jar_.name, "synonym/english.synsets"), lists);
  read_irregular_forms(member(jar, jar_.name, "synonym/english.exceptions"), lists);
  return lists;
}

}  // namespace pdvc
