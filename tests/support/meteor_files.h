// METEOR's published files in small, and the real data where set-up has put it.
#pragma once

#include <string>
#include <vector>

#include "base/cache.h"
#include "evaluation/meteor_data_writer.h"
#include "evaluation/meteor_layout.h"
#include "support/deflate.h"
#include "support/files.h"
#include "tensor/zip_writer.h"

namespace pdvc {

struct ParaphrasePair {
  std::string source, paraphrase;
};

struct SmallMeteorFiles {
  std::string function_words = "the\na\nof\nis\n.\n";
  std::string prefixes = "# titles\nMr\nvs\n\nNo #NUMERIC_ONLY# \n";
  std::string synsets =
      "man\n101 102\nfellow\n102\nwolf\n103\ncanis_lupus\n103\nlope\n104\nrun\n104 105\n";
  std::string exceptions = "wolf\nwolves\nrun\nran\n";
  std::vector<ParaphrasePair> paraphrases = {
      {"a lot of", "many"}, {"a lot of", "a number of"}, {"many", "a lot of"}, {"big", "large"}};

  void write_jar(const std::filesystem::path& path) const {
    ZipWriter jar(path);
    jar.add("function/english.words", as_bytes(function_words));
    jar.add("nonbreaking/english.prefixes", as_bytes(prefixes));
    jar.add("synonym/english.synsets", as_bytes(synsets));
    jar.add("synonym/english.exceptions", as_bytes(exceptions));
    jar.commit();
  }
  std::string paraphrase_text() const {
    std::string text;
    for (const auto& [source, paraphrase] : paraphrases)
      text += "0.5\n" + source + "\n" + paraphrase + "\n";
    return text;
  }
  // A folder as it is after unpacking.
  void write_folder(const TemporaryFolder& folder) const {
    write_jar(folder / "meteor-1.5.jar");
    folder.write("paraphrase-en.gz", gzipped(paraphrase_text()));
  }
  void write_wheel(const std::filesystem::path& path) const {
    const TemporaryFolder folder;
    write_jar(folder / "jar");
    ZipWriter wheel(path);
    wheel.add("pycocoevalcap/meteor/meteor-1.5.jar", as_bytes(contents_of(folder / "jar")));
    wheel.add("pycocoevalcap/meteor/data/paraphrase-en.gz", as_bytes(gzipped(paraphrase_text())));
    wheel.commit();
  }
  // The contents of the file that is made of it all.
  std::string data() const {
    const TemporaryFolder folder;
    write_folder(folder);
    return make_meteor_data(MeteorSource(folder.path()));
  }
};

inline std::filesystem::path cached_meteor_data() { return cache_folder() / kMeteorFileName; }
#define PDVC_NEEDS_METEOR_DATA()                      \
  if (!std::filesystem::exists(cached_meteor_data())) \
  GTEST_SKIP() << "needs " << cached_meteor_data().string() << " (get it with: pdvc fetch meteor)"

}  // namespace pdvc
