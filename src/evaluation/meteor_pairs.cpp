#include "evaluation/meteor_pairs.h"

namespace pdvc {

uint64_t MeteorPairs::number(std::string_view text) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  const Sentence& sentence =
      sentences_.emplace_back(Sentence{std::string(text), scorer_.prepare(text)});
  return numbers_.emplace(sentence.text, sentences_.size() - 1).first->second;
}

MeteorStatistics MeteorPairs::compare(uint64_t reference, uint64_t hypothesis) const {
  return scorer_.statistics(sentences_[reference].prepared, sentences_[hypothesis].prepared);
}

const MeteorStatistics& MeteorPairs::statistics(std::string_view reference,
                                                std::string_view hypothesis) {
  const uint64_t first = number(reference), second = number(hypothesis);
  const auto [at, is_new] = statistics_.try_emplace(first << 32 | second);
  if (is_new) at->second = compare(first, second);
  return at->second;
}

double MeteorPairs::score(std::string_view reference, std::string_view hypothesis) {
  const uint64_t first = number(reference), second = number(hypothesis);
  const auto [at, is_new] = scores_.try_emplace(first << 32 | second);
  if (is_new) at->second = meteor_score(compare(first, second));
  return at->second;
}

}  // namespace pdvc
