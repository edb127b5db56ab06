#include "evaluation/stemmer.h"

#include <libstemmer.h>

#include "base/error.h"

namespace pdvc {
namespace {

// The library counts in int; no word is that long, and a text without spaces is none.
constexpr size_t kLongestWord = 1000;

}  // namespace

void Stemmer::Delete::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

Stemmer::Stemmer() : stemmer_(sb_stemmer_new("english", "UTF_8")) {
  check(stemmer_ != nullptr, "libstemmer: has no English stemmer");
}

std::string Stemmer::stem(const std::string& word) {
  if (word.size() > kLongestWord) return word;
  const auto* text = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* stem = sb_stemmer_stem(stemmer_.get(), text, static_cast<int>(word.size()));
  check(stem != nullptr, "libstemmer: out of memory");
  return {reinterpret_cast<const char*>(stem),
          static_cast<size_t>(sb_stemmer_length(stemmer_.get()))};
}

}  // namespace pdvc
