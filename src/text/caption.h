// Sentences to word ids and back, as the published model was trained.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace pdvc {

// Lower-cased words without punctuation, split as Python splits text.
std::vector<std::string> caption_words(std::string_view caption);

// 0, at most `longest` - 2 ids, 0. Unknown words get the last id.
std::vector<int64_t> caption_to_ids(std::string_view caption, const Vocabulary& vocabulary,
                                    int64_t longest);

// The words up to the first 0, joined by spaces, with a full stop; "" when there are none.
std::string ids_to_caption(std::span<const int64_t> ids, const Vocabulary& vocabulary);

}  // namespace pdvc
