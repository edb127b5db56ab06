#include "evaluation/meteor_data.h"

#include <gmock/gmock.h>

#include <cstring>

#include "base/checksum.h"
#include "support/meteor_files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Memory at a multiple of eight, as a mapped file is.
class Aligned {
 public:
  explicit Aligned(const std::string& text) : words_((text.size() + 7) / 8), size_(text.size()) {
    std::memcpy(words_.data(), text.data(), text.size());
  }
  Bytes bytes() const { return {reinterpret_cast<const std::byte*>(words_.data()), size_}; }

 private:
  std::vector<uint64_t> words_;
  size_t size_;
};

std::string refusal(const std::string& file) {
  return error_of([&] { MeteorData::parse(Aligned(file).bytes(), "m.bin"); });
}

std::string with_checksum(std::string file) {
  const uint64_t sum = checksum_of(as_bytes(file).subspan(16));
  std::memcpy(&file[8], &sum, sizeof sum);
  return file;
}

std::vector<uint32_t> numbers(std::span<const uint32_t> list) { return {list.begin(), list.end()}; }

// The node of a phrase.
uint32_t node_of(const MeteorData& data, const std::vector<std::string>& words) {
  uint32_t node = data.first_node(data.find_word(words.at(0)).value()).value();
  for (size_t i = 1; i < words.size(); ++i)
    node = data.child(node, data.find_word(words[i]).value()).value();
  return node;
}

class MeteorFile : public testing::Test {
 protected:
  std::string contents_ = SmallMeteorFiles().data();
  Aligned memory_{contents_};
  MeteorData data_ = MeteorData::parse(memory_.bytes(), "m.bin");
};

}  // namespace

TEST_F(MeteorFile, KnowsItsWords) {
  for (const char* word : {"the", "Mr", "wolf", "wolves", "many", "lot"})
    EXPECT_EQ(data_.word(data_.find_word(word).value()), word);
  for (const char* word : {"", "The", "canis_lupus", "zebra", "#"})
    EXPECT_FALSE(data_.find_word(word).has_value()) << word;
  const auto flags = [&](const char* word) { return data_.flags(data_.find_word(word).value()); };
  EXPECT_EQ(flags("the"), kFunctionWord);
  EXPECT_EQ(flags("Mr"), kPrefix);
  EXPECT_EQ(flags("No"), kPrefixBeforeNumber);
  EXPECT_EQ(flags("wolf"), 0);
}

TEST_F(MeteorFile, KnowsSynonymsAndBaseForms) {
  EXPECT_THAT(numbers(data_.synonym_sets(data_.find_word("man").value())), ElementsAre(101, 102));
  EXPECT_THAT(data_.synonym_sets(data_.find_word("the").value()), IsEmpty());
  const auto bases = data_.base_forms(data_.find_word("wolves").value());
  ASSERT_EQ(bases.size(), 1u);
  EXPECT_EQ(data_.word(bases[0]), "wolf");
}

TEST_F(MeteorFile, FindsPhrasesAndTheirParaphrasesInOrder) {
  EXPECT_THAT(numbers(data_.paraphrases(node_of(data_, {"a", "lot", "of"}))),
              ElementsAre(node_of(data_, {"many"}), node_of(data_, {"a", "number", "of"})));
  EXPECT_THAT(numbers(data_.paraphrases(node_of(data_, {"many"}))),
              ElementsAre(node_of(data_, {"a", "lot", "of"})));
  EXPECT_THAT(data_.paraphrases(node_of(data_, {"a", "lot"})), IsEmpty());
  EXPECT_THAT(data_.paraphrases(node_of(data_, {"large"})), IsEmpty());
  EXPECT_FALSE(data_.child(node_of(data_, {"a", "lot"}), data_.find_word("many").value()));
  EXPECT_FALSE(data_.child(node_of(data_, {"many"}), data_.find_word("of").value()));
  EXPECT_FALSE(data_.first_node(data_.find_word("wolf").value()).has_value());
  EXPECT_EQ(data_.paraphrase_count(), 4u);
}

TEST_F(MeteorFile, IsTheSameFromWheelAndFolder) {
  const TemporaryFolder folder;
  SmallMeteorFiles().write_wheel(folder / "p.whl");
  EXPECT_EQ(make_meteor_data(MeteorSource(folder / "p.whl")), contents_);
}

TEST_F(MeteorFile, JoinsTheParaphrasesOfASourceThatComesTwice) {
  SmallMeteorFiles files;
  files.paraphrases = {{"b", "x"}, {"a", "y"}, {"b", "z"}};
  const Aligned memory(files.data());
  const MeteorData data = MeteorData::parse(memory.bytes(), "m.bin");
  EXPECT_THAT(numbers(data.paraphrases(node_of(data, {"b"}))),
              ElementsAre(node_of(data, {"x"}), node_of(data, {"z"})));
}

TEST_F(MeteorFile, SaysHowToGetItWhenMissing) {
  EXPECT_EQ(error_of([] { MeteorData::open("/nowhere/meteor-1.5.bin"); }),
            "/nowhere/meteor-1.5.bin: METEOR's data is not there (get it with: pdvc fetch meteor)");
}

TEST_F(MeteorFile, RefusesOtherFilesAndDamage) {
  EXPECT_EQ(refusal("PK something"),
            "m.bin: is not METEOR's data (expected a file made by: pdvc meteor-data)");
  const std::string damaged = "m.bin: is damaged (make it again with: pdvc fetch meteor)";
  EXPECT_EQ(refusal(contents_.substr(0, 100)), damaged);
  EXPECT_EQ(refusal(contents_.substr(0, contents_.size() - 8)), damaged);
  for (size_t at = 8; at < contents_.size(); at += 7) {
    std::string changed = contents_;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_EQ(refusal(changed), damaged) << at;
  }
}

// A file that lies about itself but has the right checksum is refused or at least read safely.
TEST_F(MeteorFile, ReadsNothingOutsideAForgedFile) {
  for (size_t at = 16; at + 4 <= contents_.size(); at += 4)
    for (const uint32_t value : {0u, 1u, 0x7fffffffu, 0xffffffffu}) {
      std::string forged = contents_;
      std::memcpy(&forged[at], &value, sizeof value);
      const Aligned memory(with_checksum(forged));
      try {
        const MeteorData data = MeteorData::parse(memory.bytes(), "m.bin");
        for (const char* word : {"the", "many", "a", "lot", "wolves", "zebra"}) {
          const auto id = data.find_word(word);
          if (!id) continue;
          data.synonym_sets(*id);
          data.base_forms(*id);
          const auto node = data.first_node(*id);
          if (!node) continue;
          data.paraphrases(*node);
          data.child(*node, *id);
        }
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("m.bin: is damaged"));
      }
    }
}

TEST(MeteorSource, NamesWhatIsMissingOrMalformed) {
  const auto refused = [](const SmallMeteorFiles& files) {
    return error_of([&] { files.data(); });
  };
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] { MeteorSource(folder.path()); }),
            folder.path().string() + ": holds no meteor-1.5.jar");
  folder.write("a.whl", "text");
  EXPECT_THAT(error_of([&] { MeteorSource(folder / "a.whl"); }), HasSubstr("is not a wheel"));
  SmallMeteorFiles files;
  files.synsets = "man\n10x\n";
  EXPECT_THAT(refused(files), HasSubstr("expected the number of a synonym set, got 10x"));
  files = {};
  files.exceptions = "wolf\n";
  EXPECT_THAT(refused(files), HasSubstr("ends within an entry (expected two lines each)"));
  files = {};
  files.paraphrases = {{"a b c d e f g h", "x"}};
  EXPECT_THAT(refused(files),
              HasSubstr("expected a phrase of one to 7 words, got \"a b c d e f g h\""));
  files.paraphrases = {{"a", ""}};
  EXPECT_THAT(refused(files), HasSubstr("expected a phrase of one to 7 words"));
}

TEST(MeteorData, IsWholeInTheCache) {
  PDVC_NEEDS_METEOR_DATA();
  const MeteorData data = MeteorData::open_cached();
  EXPECT_EQ(data.paraphrase_count(), 5274084u);
  EXPECT_GT(data.word_count(), 100000u);
}

}  // namespace pdvc
