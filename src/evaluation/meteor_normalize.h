// A text's words as METEOR sees them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/meteor_data.h"

namespace pdvc {

// Punctuation set off, dashes opened, apostrophes split as in English, lower case. Linear in the
// text's length; bytes that are not UTF-8 are one unknown character each.
std::vector<std::string> meteor_words(std::string_view text, const MeteorData& data);

}  // namespace pdvc
