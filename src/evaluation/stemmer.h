// English stems by Snowball's library: "adding" -> "ad".
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct sb_stemmer;

namespace pdvc {

// For one thread at a time.
class Stemmer {
 public:
  Stemmer();
  std::string stem(const std::string& word);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_;
};

}  // namespace pdvc
