#include "text/ptb_tokenizer.h"

#include <algorithm>
#include <array>

#include "text/ptb_rules.h"
#include "text/scanner.h"
#include "text/unicode.h"

namespace pdvc {
namespace {

struct Rules {
  std::vector<PtbRule> rules = ptb_rules();
  Scanner scanner{patterns()};

  std::vector<std::string> patterns() const {
    std::vector<std::string> result;
    for (const PtbRule& rule : rules) result.push_back(rule.pattern);
    return result;
  }
};

const Rules& rules() {
  static const Rules rules;
  return rules;
}

constexpr std::string_view kWhiteSpace = " \t\n";

// What stands for a next line that is not known: an abbreviation in front of it is seen as one that
// ends a sentence.
constexpr std::string_view kUnknownLine = "A";
// No rule looks further into the next line.
constexpr size_t kLongestLookAhead = 16;

std::string one_line(std::string_view caption) {
  std::string line;
  line.reserve(caption.size() + kLongestLookAhead + 2);
  while (!caption.empty()) {
    const char32_t c = next_code_point(caption);
    line += c == '\n' || c == '\r' || c > 127 ? ' ' : static_cast<char>(c);
  }
  return line;
}

// As much of the next line as rules look at; of white space at its start one is as good as many.
std::string line_start(std::string_view next) {
  const size_t first = std::min(next.find_first_not_of(kWhiteSpace), next.size());
  if (first > 1) next.remove_prefix(first - 1);
  return one_line(next.substr(0, kLongestLookAhead));
}

struct Piece {
  std::string_view token;
  size_t advance;  // to where the next one starts
};

Piece piece_of(std::string_view match, Keep keep) {
  const auto first = [&](size_t length) { return Piece{match.substr(0, length), length}; };
  switch (keep) {
    case Keep::whole:
      break;
    case Keep::first:
      return first(1);
    case Keep::first_two:
      return first(2);
    case Keep::all_but_last:
      return first(match.size() - 1);
    case Keep::all_but_last_two:
      return first(match.size() - 2);
    case Keep::all_but_last_three:
      return first(match.size() - 3);
    case Keep::before_apostrophe:
      return first(match.rfind('\''));
    case Keep::before_dot_end:
      return first(match.find('.') + 1);
    case Keep::before_space_dot_again: {
      const size_t length = match.find_first_of(kWhiteSpace);
      return {match.substr(0, length), length - 1};
    }
  }
  return {match, match.size()};
}

std::string replaced(std::string_view text, std::string_view (*replacement)(const char&)) {
  std::string result;
  for (const char& c : text) result += replacement(c);
  return result;
}

std::string_view bracket_name(const char& c) {
  switch (c) {
    case '(':
      return "-lrb-";
    case ')':
      return "-rrb-";
    case '[':
      return "-lsb-";
    case ']':
      return "-rsb-";
    case '{':
      return "-lcb-";
    case '}':
      return "-rcb-";
    default:
      return {&c, 1};
  }
}

std::string_view parenthesis_name(const char& c) {
  return c == '(' || c == ')' ? bracket_name(c) : std::string_view(&c, 1);
}

std::string_view without_space(const char& c) {
  return c == ' ' ? std::string_view("\u00a0") : bracket_name(c);
}

void lower(std::string& token) {
  for (char& c : token)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
}

std::string_view entity_text(std::string entity) {
  lower(entity);
  if (entity == "&amp;") return "&";
  if (entity == "&lt;") return "<";
  if (entity == "&gt;") return ">";
  return "--";
}

std::string written(std::string_view token, Form form) {
  switch (form) {
    case Form::text:
    case Form::none:
      break;
    case Form::brackets:
      return replaced(token, bracket_name);
    case Form::parentheses:
      return replaced(token, parenthesis_name);
    case Form::open_quotes:
      return "``";
    case Form::close_quotes:
      return "''";
    case Form::open_quote:
      return "`";
    case Form::dashes:
      return token.size() == 3 || token.size() == 4 ? "--" : std::string(token);
    case Form::dots:
      return "...";
    case Form::entity:
      return std::string(entity_text(std::string(token)));
    case Form::joined:
      return replaced(token, without_space);
  }
  return std::string(token);
}

// The published list also names brackets, but as -LRB-, which a lower-cased token never is.
constexpr std::array<std::string_view, 13> kPunctuation = {"''", "'", "``", "`",  ".",   "?", "!",
                                                           ",",  ":", "-",  "--", "...", ";"};

bool is_punctuation(std::string_view token) {
  return std::ranges::find(kPunctuation, token) != kPunctuation.end();
}

std::vector<std::string> tokens_before(std::string_view caption, std::string_view next) {
  std::string line = one_line(caption);
  const size_t end = line.size();
  line += '\n';
  line += line_start(next);
  Scanner::Pass pass(rules().scanner, line);
  std::vector<std::string> tokens;
  for (size_t at = 0; at < end;) {
    const Scanner::Match match = pass.match_at(at);
    const PtbRule& rule = rules().rules[static_cast<size_t>(match.rule)];
    const Piece piece = piece_of(std::string_view(line).substr(at, match.length), rule.keep);
    if (rule.form != Form::none) {
      tokens.push_back(written(piece.token, rule.form));
      lower(tokens.back());
    }
    at += piece.advance;
  }
  return tokens;
}

std::string joined_words(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (is_punctuation(token)) continue;
    if (!text.empty()) text += ' ';
    text += token;
  }
  return text;
}

// Without their dot; a number that follows makes it part of them.
constexpr std::array<std::string_view, 11> kBeforeNumbers = {
    "ca", "fig", "figs", "prop", "no", "nos", "art", "arts", "bldg", "pp", "op"};

}  // namespace

void prepare_tokenizer() { rules(); }

std::vector<std::string> ptb_tokens(std::string_view caption) {
  return tokens_before(caption, kUnknownLine);
}

std::string evaluation_text(std::string_view caption) {
  return joined_words(tokens_before(caption, kUnknownLine));
}

std::string evaluation_text(std::string_view caption, std::string_view next) {
  return joined_words(tokens_before(caption, next));
}

bool depends_on_next(std::string_view caption) {
  while (!caption.empty() && kWhiteSpace.find(caption.back()) != std::string_view::npos)
    caption.remove_suffix(1);
  if (!caption.ends_with('.')) return false;
  caption.remove_suffix(1);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto word = std::find_if_not(caption.rbegin(), caption.rend(), is_letter);
  std::string last(word.base(), caption.end());
  lower(last);
  return last.size() == 1 || std::ranges::find(kBeforeNumbers, last) != kBeforeNumbers.end();
}

}  // namespace pdvc
