// Numbers for words, in the order in which they first come.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pdvc {

class WordIndex {
 public:
  uint32_t add(std::string_view word) {
    if (const auto at = ids_.find(word); at != ids_.end()) return at->second;
    const std::string& kept = words_.emplace_back(word);
    return ids_.emplace(kept, static_cast<uint32_t>(ids_.size())).first->second;
  }
  size_t size() const { return words_.size(); }
  const std::deque<std::string>& words() const { return words_; }

 private:
  std::deque<std::string> words_;  // stays in place as it grows
  std::unordered_map<std::string_view, uint32_t> ids_;
};

}  // namespace pdvc
