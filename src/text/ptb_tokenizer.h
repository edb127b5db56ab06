// Captions to the tokens that published scores are computed on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pdvc {

// Makes the tables that the first token needs (some 20 ms), so that it can be done beside other
// work.
void prepare_tokenizer();

// Penn Treebank tokens, lower-cased, punctuation included. Characters above 127 separate tokens. A
// token holds no space, but a phone number or fraction may hold a no-break space.
std::vector<std::string> ptb_tokens(std::string_view caption);

// The tokens without the punctuation that scores ignore, joined by spaces.
std::string evaluation_text(std::string_view caption);

// The same for a caption in a list, as evaluators hand the tokenizer many at once: a letter with a
// dot at the end ("triple A.") is a word when `next` begins a sentence, an initial otherwise.
std::string evaluation_text(std::string_view caption, std::string_view next);
// Whether the caption that follows can make a difference.
bool depends_on_next(std::string_view caption);

}  // namespace pdvc
