#include "evaluation/meteor_data.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/byte_order.h"
#include "base/cache.h"
#include "base/checksum.h"
#include "base/error.h"

namespace pdvc {
namespace {

struct Extent {
  uint64_t offset = 0, size = 0;
};

// The sections of a file one after another, each checked to lie where the one before ended.
class SectionReader {
 public:
  SectionReader(Bytes file, const std::string& name) : file_(file), name_(name) {}

  template <class T>
  void read(std::span<const T>& section) {
    const Extent extent = next_extent();
    check(extent.size % sizeof(T) == 0, name_, ": is damaged (section ", index_,
          " is of an odd size)");
    section = {reinterpret_cast<const T*>(file_.data() + extent.offset), extent.size / sizeof(T)};
    ++index_;
  }

  void check_end() const {
    check(end_ == file_.size(), name_, ": is damaged (", file_.size() - end_,
          " bytes too many at its end)");
  }

 private:
  Extent next_extent() {
    const size_t at = 24 + 16 * index_;
    const Extent extent{.offset = little_endian<uint64_t>(file_, at),
                        .size = little_endian<uint64_t>(file_, at + 8)};
    check(extent.offset == end_ && extent.size <= file_.size() - end_, name_,
          ": is damaged (section ", index_, " is not where it should be)");
    end_ = std::min<uint64_t>((extent.offset + extent.size + 7) / 8 * 8, file_.size());
    return extent;
  }

  Bytes file_;
  const std::string& name_;
  size_t index_ = 0;
  uint64_t end_ = kMeteorHeaderSize;
};

// Offsets that cut an array of `size` entries into `count` pieces.
bool are_offsets(std::span<const uint32_t> offsets, size_t count, size_t size) {
  return offsets.size() == count + 1 && offsets.back() <= size && std::ranges::is_sorted(offsets);
}

// The number of bits set, when `before` counts them rightly.
std::optional<size_t> bits_set(std::span<const uint64_t> bits, std::span<const uint32_t> before,
                               size_t count) {
  if (bits.size() != (count + 63) / 64 || before.size() != bits.size()) return std::nullopt;
  size_t total = 0;
  for (size_t i = 0; i < bits.size(); ++i) {
    if (before[i] != total) return std::nullopt;
    total += static_cast<size_t>(std::popcount(bits[i]));
  }
  return total;
}

template <class T>
std::span<const T> piece(std::span<const T> all, std::span<const uint32_t> offsets, size_t index) {
  return all.subspan(offsets[index], offsets[index + 1] - offsets[index]);
}

}  // namespace

uint64_t meteor_word_hash(std::string_view word) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash ^ hash >> 32;
}

std::optional<uint32_t> RankedBits::rank(uint32_t index) const {
  const uint64_t word = bits_[index / 64], bit = uint64_t{1} << index % 64;
  if ((word & bit) == 0) return std::nullopt;
  return before_[index / 64] + static_cast<uint32_t>(std::popcount(word & (bit - 1)));
}

MeteorData MeteorData::open(const std::filesystem::path& path) {
  check(std::filesystem::exists(path), path,
        ": METEOR's data is not there (get it with: pdvc fetch meteor)");
  auto file = std::make_shared<const MappedFile>(path);
  MeteorData data = parse(file->bytes(), path.string());
  data.file_ = std::move(file);
  return data;
}

MeteorData MeteorData::open_cached() { return open(cache_folder() / kMeteorFileName); }

MeteorData MeteorData::parse(Bytes file, const std::string& name) {
  check(as_text(file).starts_with(kMeteorMagic), name,
        ": is not METEOR's data (expected a file made by: pdvc meteor-data)");
  check(file.size() >= kMeteorHeaderSize &&
            little_endian<uint64_t>(file, 8) == checksum_of(file.subspan(16)),
        name, ": is damaged (make it again with: pdvc fetch meteor)");
  MeteorData data;
  data.read_sections(file, name);
  data.check_consistent(name);
  return data;
}

void MeteorData::read_sections(Bytes file, const std::string& name) {
  phrase_words_ = little_endian<uint64_t>(file, 16);
  SectionReader reader(file, name);
  reader.read(word_offsets_);
  reader.read(word_text_);
  reader.read(word_slots_);
  reader.read(word_flags_);
  reader.read(synonym_offsets_);
  reader.read(synonym_sets_);
  reader.read(base_offsets_);
  reader.read(base_words_);
  reader.read(node_words_);
  reader.read(parents_);
  reader.read(parents_before_);
  reader.read(child_offsets_);
  reader.read(sources_);
  reader.read(sources_before_);
  reader.read(paraphrase_offsets_);
  reader.read(paraphrases_);
  reader.check_end();
}

// After this no look-up can leave its array. Numbers of synonym sets and paraphrases are only
// compared, never followed.
void MeteorData::check_consistent(const std::string& name) const {
  const size_t words = word_flags_.size(), nodes = node_words_.size();
  const auto known = [&](uint32_t word) { return word < words; };
  const auto known_or_free = [&](uint32_t word) { return word == kNoWord || word < words; };
  const auto parents = bits_set(parents_, parents_before_, nodes);
  const auto sources = bits_set(sources_, sources_before_, nodes);
  const bool consistent =
      are_offsets(word_offsets_, words, word_text_.size()) &&
      std::has_single_bit(word_slots_.size()) && std::ranges::all_of(word_slots_, known_or_free) &&
      are_offsets(synonym_offsets_, words, synonym_sets_.size()) &&
      are_offsets(base_offsets_, words, base_words_.size()) &&
      std::ranges::all_of(base_words_, known) && phrase_words_ <= words && phrase_words_ <= nodes &&
      parents && are_offsets(child_offsets_, *parents, nodes) && sources &&
      are_offsets(paraphrase_offsets_, *sources, paraphrases_.size());
  check(consistent, name, ": is damaged (its parts contradict each other)");
}

std::optional<uint32_t> MeteorData::find_word(std::string_view text) const {
  const size_t mask = word_slots_.size() - 1;
  size_t slot = meteor_word_hash(text) & mask;
  for (size_t tries = 0; tries <= mask; ++tries, slot = (slot + 1) & mask) {
    if (word_slots_[slot] == kNoWord) break;
    if (word(word_slots_[slot]) == text) return word_slots_[slot];
  }
  return std::nullopt;
}

std::string_view MeteorData::word(uint32_t word) const {
  const auto text = piece(word_text_, word_offsets_, word);
  return {text.data(), text.size()};
}

std::span<const uint32_t> MeteorData::synonym_sets(uint32_t word) const {
  return piece(synonym_sets_, synonym_offsets_, word);
}

std::span<const uint32_t> MeteorData::base_forms(uint32_t word) const {
  return piece(base_words_, base_offsets_, word);
}

std::optional<uint32_t> MeteorData::first_node(uint32_t word) const {
  return word < phrase_words_ ? std::optional(word) : std::nullopt;
}

std::optional<uint32_t> MeteorData::child(uint32_t node, uint32_t word) const {
  const auto parent = RankedBits(parents_, parents_before_).rank(node);
  if (!parent || word >= phrase_words_) return std::nullopt;
  const auto children = piece(node_words_, child_offsets_, *parent);
  const auto at = std::ranges::lower_bound(children, static_cast<uint16_t>(word));
  if (at == children.end() || *at != word) return std::nullopt;
  return child_offsets_[*parent] + static_cast<uint32_t>(at - children.begin());
}

std::span<const uint32_t> MeteorData::paraphrases(uint32_t node) const {
  const auto source = RankedBits(sources_, sources_before_).rank(node);
  if (!source) return {};
  return piece(paraphrases_, paraphrase_offsets_, *source);
}

}  // namespace pdvc
