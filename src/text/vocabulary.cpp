#include "text/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/printable.h"

namespace pdvc {
namespace {

std::vector<std::string> words_of_array(const Json& array, const std::string& name) {
  std::vector<std::string> words;
  for (const Json& word : array) {
    check(word.is_string(), name, ": expected a list of words, got ", json_excerpt(word));
    words.push_back(word.get<std::string>());
  }
  return words;
}

size_t parse_id(const std::string& key, size_t count, const std::string& name) {
  size_t id = 0;
  const auto [end, code] = std::from_chars(key.data(), key.data() + key.size(), id);
  check(code == std::errc{} && end == key.data() + key.size(), name, ": ix_to_word: \"",
        printable(key), "\" is not an id");
  check(id >= 1, name,
        ": ix_to_word: id 0 is kept for the end of a sentence (expected ids from 1)");
  return std::min(id, count + 1);
}

// As many words as entries: an id beyond that means that another is skipped.
std::vector<std::string> words_of_object(const Json& ix_to_word, const std::string& name) {
  check(ix_to_word.is_object(), name, ": ix_to_word: expected {\"1\": word, ...}");
  const size_t count = ix_to_word.size();
  std::vector<const Json*> slots(count + 1, nullptr);
  for (const auto& [key, word] : ix_to_word.items()) {
    check(word.is_string(), name, ": ix_to_word: \"", printable(key), "\": expected a word, got ",
          json_excerpt(word));
    slots[parse_id(key, count, name) - 1] = &word;
  }
  std::vector<std::string> words;
  for (size_t i = 0; i < count; ++i) {
    check(slots[i] != nullptr, name, ": ix_to_word skips id ", i + 1, " (expected 1 to ", count,
          " without a gap)");
    words.push_back(slots[i]->get<std::string>());
  }
  return words;
}

void check_directions_agree(const Json& word_to_ix, const Vocabulary& vocabulary,
                            const std::string& name) {
  check(word_to_ix.is_object(), name, ": word_to_ix: expected {word: id, ...}");
  for (const auto& [word, id] : word_to_ix.items()) {
    const bool known = id.is_number_integer() && id >= 1 && id <= vocabulary.size();
    check(known && vocabulary.word(id.get<int64_t>()) == word, name, ": word_to_ix gives \"",
          printable(word), "\" the id ", json_excerpt(id), ", ix_to_word does not");
  }
}

}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> words) : words_(std::move(words)) {
  for (size_t i = 0; i < words_.size(); ++i)
    ids_.try_emplace(words_[i], static_cast<int64_t>(i) + 1);
}

Vocabulary Vocabulary::parse(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  const bool published = json.is_object() && json.contains("ix_to_word");
  check(published || json.is_array(), name,
        ": is not a vocabulary (expected \"ix_to_word\" or a list of words)");
  Vocabulary result(published ? words_of_object(json["ix_to_word"], name)
                              : words_of_array(json, name));
  check(result.size() > 0, name, ": holds no words");
  if (published && json.contains("word_to_ix"))
    check_directions_agree(json["word_to_ix"], result, name);
  return result;
}

Vocabulary Vocabulary::read(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse(as_text(file.bytes()), path.string());
}

int64_t Vocabulary::id(std::string_view word) const {
  const auto at = ids_.find(std::string(word));
  return at == ids_.end() ? size() : at->second;
}

}  // namespace pdvc
