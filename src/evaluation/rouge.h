// ROUGE-L (Lin, 2004) as the COCO caption evaluation computes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "evaluation/sentence_set.h"

namespace pdvc {

// Length of the longest sequence of words that both have in this order. Memory grows with the sum
// of the lengths, time with their product over 64 at worst: a sentence of megabytes against an
// ordinary one takes milliseconds.
size_t longest_common_subsequence(std::span<const uint32_t> a, std::span<const uint32_t> b);

// F measure (beta 1.2) of the best precision and the best recall over the references. The score of
// a set is the mean over its pairs.
double rouge_l(const SentenceSet& sentences, const SentencePair& pair);

}  // namespace pdvc
