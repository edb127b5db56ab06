// What counts as one token of English in the manner of the Penn Treebank, as rules for a Scanner.
#pragma once

#include <string>
#include <vector>

namespace pdvc {

// How much of a match is the token. What is left is matched again.
enum class Keep {
  whole,
  first,  // one character; the rest only had to follow
  first_two,
  all_but_last,
  all_but_last_two,
  all_but_last_three,
  before_apostrophe,       // up to the last one
  before_dot_end,          // up to and with the first dot
  before_space_dot_again,  // up to the first space, but its dot also ends the sentence
};

// How the token is written.
enum class Form {
  text,
  brackets,     // ( ) [ ] { } become -lrb- and the like
  parentheses,  // only ( ) do
  open_quotes,
  close_quotes,
  open_quote,
  dashes,
  dots,
  entity,  // &amp; and its relatives
  joined,  // a space inside becomes a no-break space
  none,    // no token: white space and what is no text
};

struct PtbRule {
  std::string pattern;
  Keep keep = Keep::whole;
  Form form = Form::text;
};

// In order: the earlier rule wins a tie.
std::vector<PtbRule> ptb_rules();

}  // namespace pdvc
