#include "text/caption.h"

#include <algorithm>
#include <utility>

#include "text/unicode.h"

namespace pdvc {
namespace {

constexpr std::u32string_view kPunctuation = U",:!_;-.?/\"\\";

}  // namespace

std::vector<std::string> caption_words(std::string_view caption) {
  std::vector<std::string> words;
  std::string word;
  const auto finish_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  while (!caption.empty()) {
    // The two characters backslash and n, left over from escaped text, go together.
    if (caption.starts_with("\\n")) {
      caption.remove_prefix(2);
      finish_word();
      continue;
    }
    const char32_t c = next_code_point(caption);
    if (is_white_space(c) || kPunctuation.find(c) != std::u32string_view::npos)
      finish_word();
    else
      append_utf8(word, lower_case(c));
  }
  finish_word();
  return words;
}

std::vector<int64_t> caption_to_ids(std::string_view caption, const Vocabulary& vocabulary,
                                    int64_t longest) {
  const auto words = caption_words(caption);
  const size_t count =
      std::min(words.size(), static_cast<size_t>(std::max<int64_t>(longest - 2, 0)));
  std::vector<int64_t> ids = {0};
  for (size_t i = 0; i < count; ++i) ids.push_back(vocabulary.id(words[i]));
  ids.push_back(0);
  return ids;
}

std::string ids_to_caption(std::span<const int64_t> ids, const Vocabulary& vocabulary) {
  std::string caption;
  for (const int64_t id : ids) {
    if (id == 0) break;
    caption += (caption.empty() ? "" : " ") + vocabulary.word(id);
  }
  return caption.empty() ? caption : caption + ".";
}

}  // namespace pdvc
