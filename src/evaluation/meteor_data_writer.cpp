#include "evaluation/meteor_data_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/error.h"
#include "base/gzip.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "evaluation/phrase_table.h"
#include "evaluation/word_index.h"

namespace pdvc {
namespace {

// Lists of numbers for words, as offsets and one array.
struct NumberLists {
  std::vector<uint32_t> offsets, numbers;

  explicit NumberLists(const std::vector<std::vector<uint32_t>>& lists) : offsets{0} {
    for (const auto& list : lists) {
      numbers.insert(numbers.end(), list.begin(), list.end());
      offsets.push_back(static_cast<uint32_t>(numbers.size()));
    }
  }
};

// Sections one after another, with the table that says where they are.
class SectionWriter {
 public:
  explicit SectionWriter(uint64_t phrase_words) : file_(kMeteorHeaderSize, '\0') {
    file_.replace(0, kMeteorMagic.size(), kMeteorMagic);
    set_number(16, phrase_words);
  }

  template <class Array>
  void add(const Array& section) {
    const size_t size = section.size() * sizeof(section[0]);
    set_number(24 + 16 * index_, file_.size());
    set_number(24 + 16 * index_ + 8, size);
    ++index_;
    file_.append(reinterpret_cast<const char*>(section.data()), size);
    file_.resize((file_.size() + 7) / 8 * 8);
  }

  std::string finish() {
    set_number(8, checksum_of(as_bytes(file_).subspan(16)));
    return std::move(file_);
  }

 private:
  void set_number(size_t at, uint64_t number) { std::memcpy(&file_[at], &number, sizeof number); }

  std::string file_;
  size_t index_ = 0;
};

std::vector<uint32_t> slots_of(const WordIndex& index) {
  std::vector<uint32_t> slots(std::bit_ceil(2 * index.size() + 1), kNoWord);
  uint32_t id = 0;
  for (const std::string& word : index.words()) {
    size_t slot = meteor_word_hash(word) & (slots.size() - 1);
    while (slots[slot] != kNoWord) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = id++;
  }
  return slots;
}

// The words of a phrase as ids.
PhraseKey phrase_of(std::string_view text, WordIndex& words, const std::string& name) {
  std::vector<uint32_t> ids;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (!word.empty()) ids.push_back(words.add(word));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  check(!ids.empty() && ids.size() <= kLongestPhrase, name, ": expected a phrase of one to ",
        kLongestPhrase, " words, got \"", printable(text), "\"");
  check(words.size() <= 65536, name, ": holds more than 65536 different words");
  return PhraseKey::of(ids);
}

PhraseTableBuilder read_paraphrases(const MeteorSource& source, WordIndex& words,
                                    const BytesRead& advanced) {
  const std::string& name = source.paraphrases_name();
  PhraseTableBuilder table;
  PhraseKey key;
  size_t lines = 0, reported = 0;
  for_each_gzip_line(source.paraphrases(), name, [&](const GzipLine& line) {
    switch (lines++ % 3) {
      case 0:  // the probability: METEOR uses every pair alike
        break;
      case 1:
        key = phrase_of(line.text, words, name);
        break;
      case 2:
        table.add(key, phrase_of(line.text, words, name));
        break;
    }
    if (line.consumed == reported) return;
    check_interrupt();
    if (advanced) advanced(static_cast<int64_t>(line.consumed - reported));
    reported = line.consumed;
  });
  check(lines % 3 == 0, name, ": ends within an entry (expected three lines each)");
  return table;
}

// What is known of single words; all vectors are [word].
struct WordTables {
  WordIndex& words;
  std::vector<uint8_t> flags;
  std::vector<std::vector<uint32_t>> synonyms, bases;

  uint32_t add(const std::string& word) {
    const uint32_t id = words.add(word);
    grow();
    return id;
  }
  void grow() {
    flags.resize(words.size());
    synonyms.resize(words.size());
    bases.resize(words.size());
  }
};

void add_lists(const MeteorWordLists& lists, WordTables& tables) {
  tables.grow();
  const auto mark = [&](const std::vector<std::string>& words, MeteorWordFlag flag) {
    for (const std::string& word : words) {
      const uint32_t id = tables.add(word);
      tables.flags[id] = static_cast<uint8_t>(tables.flags[id] | flag);
    }
  };
  mark(lists.function_words, kFunctionWord);
  mark(lists.prefixes, kPrefix);
  mark(lists.prefixes_before_number, kPrefixBeforeNumber);
  for (const auto& entry : lists.synonyms) {
    auto& sets = tables.synonyms[tables.add(entry.word)];
    sets.insert(sets.end(), entry.sets.begin(), entry.sets.end());
    std::ranges::sort(sets);
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  }
  for (const auto& form : lists.irregular_forms) {
    const uint32_t base = tables.add(form.base);
    tables.bases[tables.add(form.word)].push_back(base);
  }
}

}  // namespace

std::string make_meteor_data(const MeteorSource& source, const BytesRead& advanced) {
  WordIndex words;
  const PhraseTableBuilder table = read_paraphrases(source, words, advanced);
  const size_t phrase_words = words.size();
  WordTables tables{.words = words, .flags = {}, .synonyms = {}, .bases = {}};
  add_lists(source.word_lists(), tables);
  const PhraseArrays phrases = table.build(phrase_words);

  std::vector<uint32_t> text_offsets = {0};
  std::string text;
  for (const std::string& word : words.words()) {
    text += word;
    text_offsets.push_back(static_cast<uint32_t>(text.size()));
  }
  const NumberLists synonyms(tables.synonyms), bases(tables.bases);

  SectionWriter file(phrase_words);
  file.add(text_offsets);
  file.add(text);
  file.add(slots_of(words));
  file.add(tables.flags);
  file.add(synonyms.offsets);
  file.add(synonyms.numbers);
  file.add(bases.offsets);
  file.add(bases.numbers);
  file.add(phrases.node_words);
  file.add(phrases.parents);
  file.add(phrases.parents_before);
  file.add(phrases.child_offsets);
  file.add(phrases.sources);
  file.add(phrases.sources_before);
  file.add(phrases.paraphrase_offsets);
  file.add(phrases.paraphrases);
  return file.finish();
}

void write_meteor_data(const std::filesystem::path& source, const std::filesystem::path& target,
                       Log& log, ProgressMode mode) {
  AtomicFile file(target);  // first of all: better to fail before the work than after it
  const MeteorSource files(source);
  Progress progress(log, mode, "reading paraphrases",
                    static_cast<int64_t>(files.paraphrases().size()));
  const std::string data = make_meteor_data(files, [&](int64_t bytes) { progress.advance(bytes); });
  progress.finish();
  file.write(data);
  file.commit();
}

}  // namespace pdvc
