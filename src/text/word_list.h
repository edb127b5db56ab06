// A vocabulary made from the captions of a data set.
#pragma once

#include <span>
#include <string>

#include "text/vocabulary.h"

namespace pdvc {

// The words that occur at least `least_count` times, the most frequent first and equals in
// alphabetical order, then "UNK" for all others. Throws when no word is left.
Vocabulary vocabulary_of(std::span<const std::string> captions, int64_t least_count);

// The text of a published vocabulary file.
std::string vocabulary_text(const Vocabulary& vocabulary);

}  // namespace pdvc
