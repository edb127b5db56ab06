// METEOR's word lists and paraphrase table, mapped from one file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "evaluation/meteor_layout.h"

namespace pdvc {

// Bits with their ranks: says whether a node has something, and where its entry stands.
class RankedBits {
 public:
  RankedBits() = default;
  RankedBits(std::span<const uint64_t> bits, std::span<const uint32_t> before)
      : bits_(bits), before_(before) {}

  std::optional<uint32_t> rank(uint32_t index) const;

 private:
  std::span<const uint64_t> bits_;
  std::span<const uint32_t> before_;
};

// Words and phrases by number. Copies are views of the same file; all calls may come from many
// threads.
class MeteorData {
 public:
  // Throws Error when the file is missing (saying how to get it) or damaged.
  static MeteorData open(const std::filesystem::path& path);
  // The file in the cache folder.
  static MeteorData open_cached();
  // From memory that outlives it and begins at a multiple of eight, as mapped files do.
  static MeteorData parse(Bytes file, const std::string& name);

  std::optional<uint32_t> find_word(std::string_view word) const;
  uint8_t flags(uint32_t word) const { return word_flags_[word]; }
  std::string_view word(uint32_t word) const;
  // Sorted numbers of the synonym sets that the word is in; none when the dictionary lacks it.
  std::span<const uint32_t> synonym_sets(uint32_t word) const;
  std::span<const uint32_t> base_forms(uint32_t word) const;

  // The phrase of one word, if any phrase begins with it.
  std::optional<uint32_t> first_node(uint32_t word) const;
  // The phrase with one more word.
  std::optional<uint32_t> child(uint32_t node, uint32_t word) const;
  std::span<const uint32_t> paraphrases(uint32_t node) const;

  size_t word_count() const { return word_flags_.size(); }
  size_t node_count() const { return node_words_.size(); }
  size_t paraphrase_count() const { return paraphrases_.size(); }

 private:
  MeteorData() = default;
  void read_sections(Bytes file, const std::string& name);
  void check_consistent(const std::string& name) const;

  std::shared_ptr<const MappedFile> file_;
  size_t phrase_words_ = 0;
  std::span<const uint32_t> word_offsets_, word_slots_, synonym_offsets_, synonym_sets_,
      base_offsets_, base_words_, parents_before_, child_offsets_, sources_before_,
      paraphrase_offsets_, paraphrases_;
  std::span<const char> word_text_;
  std::span<const uint8_t> word_flags_;
  std::span<const uint16_t> node_words_;
  std::span<const uint64_t> parents_, sources_;
};

}  // namespace pdvc
