#include "evaluation/meteor_synonyms.h"

#include <algorithm>
#include <array>
#include <string>

namespace pdvc {
namespace {

struct SuffixRule {
  std::string_view ending, replacement;
};

// WordNet's rules for nouns, verbs and adjectives, in the order in which METEOR tries them.
constexpr std::array<SuffixRule, 20> kSuffixRules = {{
    {"s", ""},      {"ses", "s"},   {"xes", "x"}, {"zes", "z"}, {"ches", "ch"},
    {"shes", "sh"}, {"men", "man"}, {"ies", "y"}, {"s", ""},    {"ies", "y"},
    {"es", "e"},    {"es", ""},     {"ed", "e"},  {"ed", ""},   {"ing", "e"},
    {"ing", ""},    {"er", ""},     {"est", ""},  {"er", "e"},  {"est", "e"},
}};

// No entry of the dictionary is longer; it saves building candidates from a giant word.
constexpr size_t kLongestWord = 100;

void add_sets(std::vector<uint32_t>& sets, uint32_t word, const MeteorData& data) {
  const auto more = data.synonym_sets(word);
  sets.insert(sets.end(), more.begin(), more.end());
}

// The first rule whose result is in the dictionary.
std::optional<uint32_t> regular_base(std::string_view word, const MeteorData& data) {
  if (word.size() <= 2 || word.ends_with("ss")) return std::nullopt;
  for (const SuffixRule& rule : kSuffixRules) {
    if (!word.ends_with(rule.ending)) continue;
    const std::string base =
        std::string(word.substr(0, word.size() - rule.ending.size())).append(rule.replacement);
    const auto id = data.find_word(base);
    if (id && !data.synonym_sets(*id).empty()) return id;
  }
  return std::nullopt;
}

}  // namespace

std::vector<uint32_t> meteor_synonym_sets(std::string_view word, std::optional<uint32_t> id,
                                          const MeteorData& data) {
  std::vector<uint32_t> sets;
  if (word.size() > kLongestWord) return sets;
  if (id) add_sets(sets, *id, data);
  if (id && !data.base_forms(*id).empty()) {
    for (const uint32_t base : data.base_forms(*id)) add_sets(sets, base, data);
  } else if (const auto base = regular_base(word, data)) {
    add_sets(sets, *base, data);
  }
  std::ranges::sort(sets);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

}  // namespace pdvc
