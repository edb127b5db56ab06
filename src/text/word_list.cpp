#include "text/word_list.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "text/caption.h"

namespace pdvc {

Vocabulary vocabulary_of(std::span<const std::string> captions, int64_t least_count) {
  constexpr const char* kUnknown = "UNK";  // captions are lower case, so that no word is it
  std::map<std::string, int64_t> counts;
  for (const std::string& caption : captions)
    for (const std::string& word : caption_words(caption)) ++counts[word];
  std::erase_if(counts, [&](const auto& entry) { return entry.second < least_count; });
  check(!counts.empty(), "the captions hold no word that occurs ", least_count,
        " times, so there is no vocabulary");
  std::vector<std::pair<std::string, int64_t>> ordered(counts.begin(), counts.end());
  std::ranges::stable_sort(ordered, std::greater{}, &std::pair<std::string, int64_t>::second);
  std::vector<std::string> words;
  for (auto& [word, count] : ordered) words.push_back(std::move(word));
  words.emplace_back(kUnknown);
  return Vocabulary(std::move(words));
}

std::string vocabulary_text(const Vocabulary& vocabulary) {
  auto by_id = nlohmann::ordered_json::object(), by_word = nlohmann::ordered_json::object();
  for (int64_t id = 1; id <= vocabulary.size(); ++id) {
    by_id[std::to_string(id)] = vocabulary.word(id);
    by_word[vocabulary.word(id)] = vocabulary.id(vocabulary.word(id));
  }
  return json_text(nlohmann::ordered_json{{"ix_to_word", by_id}, {"word_to_ix", by_word}}) + "\n";
}

}  // namespace pdvc
