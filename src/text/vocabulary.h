// The words a model knows, each with its id.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json.h"

namespace pdvc {

// Ids run from 1 to size(); 0 is both begin and end of a sentence. The last entry stands for
// unknown words.
class Vocabulary {
 public:
  // Entry i of `words` is the word with id i + 1. Of a repeated word the first id counts.
  explicit Vocabulary(std::vector<std::string> words);
  // A published file, {"ix_to_word": {"1": word, ...}, "word_to_ix": {word: id}}, or an array of
  // words as in model files. Throws when ids are skipped or the two directions disagree.
  static Vocabulary read(const std::filesystem::path& path);
  static Vocabulary parse(std::string_view text, const std::string& name);

  int64_t size() const { return static_cast<int64_t>(words_.size()); }
  const std::vector<std::string>& words() const { return words_; }
  // `id` from 1 to size().
  const std::string& word(int64_t id) const { return words_.at(static_cast<size_t>(id - 1)); }
  // size() for words that are not in it.
  int64_t id(std::string_view word) const;
  bool contains(std::string_view word) const { return ids_.contains(std::string(word)); }

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string, int64_t> ids_;
};

}  // namespace pdvc
