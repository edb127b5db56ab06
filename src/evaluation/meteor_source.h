// METEOR 1.5's own data files, as they are published.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"

namespace pdvc {

struct MeteorWordLists {
  struct SynonymEntry {
    std::string word;
    std::vector<uint32_t> sets;
  };
  struct IrregularForm {
    std::string word, base;
  };
  std::vector<std::string> function_words;
  std::vector<std::string> prefixes;                // their dot does not end a sentence
  std::vector<std::string> prefixes_before_number;  // not in front of a number
  std::vector<SynonymEntry> synonyms;
  std::vector<IrregularForm> irregular_forms;
};

// The files: in the PyPI package pycocoevalcap (a wheel), or in a folder that holds meteor-1.5.jar
// and paraphrase-en.gz somewhere below it.
class MeteorSource {
 public:
  // Throws Error when the two files are not to be found there.
  explicit MeteorSource(const std::filesystem::path& wheel_or_folder);

  MeteorWordLists word_lists() const;
  // gzip: three lines a pair, probability, source, paraphrase
  Bytes paraphrases() const { return paraphrases_.bytes; }
  const std::string& paraphrases_name() const { return paraphrases_.name; }

 private:
  struct File {
    std::string name;
    Bytes bytes;
  };
  void read_wheel(const std::filesystem::path& wheel);
  void read_folder(const std::filesystem::path& folder);

  std::vector<std::unique_ptr<MappedFile>> mapped_;
  std::vector<std::vector<std::byte>> unpacked_;
  File jar_, paraphrases_;
};

}  // namespace pdvc
