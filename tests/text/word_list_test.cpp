#include "text/word_list.h"

#include <gmock/gmock.h>

#include "support/files.h"

namespace pdvc {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kCaptions = {"A dog runs.", "a cat, a dog!", "The cat sleeps"};

}  // namespace

TEST(WordList, PutsFrequentWordsFirstAndUnknownOnesLast) {
  EXPECT_THAT(vocabulary_of(kCaptions, 1).words(),
              ElementsAre("a", "cat", "dog", "runs", "sleeps", "the", "UNK"));
  EXPECT_THAT(vocabulary_of(kCaptions, 2).words(), ElementsAre("a", "cat", "dog", "UNK"));
}

TEST(WordList, RefusesToBeEmpty) {
  EXPECT_EQ(error_of([] { vocabulary_of(kCaptions, 9); }),
            "the captions hold no word that occurs 9 times, so there is no vocabulary");
}

TEST(WordList, IsReadBackAsItWasWritten) {
  const Vocabulary words = vocabulary_of(kCaptions, 1);
  EXPECT_EQ(Vocabulary::parse(vocabulary_text(words), "test").words(), words.words());
}

}  // namespace pdvc
