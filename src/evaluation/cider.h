// CIDEr-D (Vedantam et al., 2015) as the COCO caption evaluation computes it.
#pragma once

#include <span>
#include <vector>

#include "evaluation/sentence_set.h"

namespace pdvc {

// The score of each pair. N-grams weigh by how few pairs of the set have them in a reference, so a
// pair has no score without its set. The score of the set is the mean.
std::vector<double> cider_scores(const SentenceSet& sentences, std::span<const SentencePair> pairs);

}  // namespace pdvc
