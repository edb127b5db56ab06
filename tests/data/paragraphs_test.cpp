#include "data/paragraphs.h"

#include "support/files.h"

namespace pdvc {
namespace {

std::string refusal(const std::string& json) {
  return error_of([&] { parse_paragraphs(json, "p.json"); });
}

}  // namespace

TEST(Paragraphs, AreReadInFileOrder) {
  const auto paragraphs = parse_paragraphs(R"({"v_b": "One. Two.", "v_a": ""})", "p.json");
  ASSERT_EQ(paragraphs.size(), 2);
  EXPECT_EQ(paragraphs[0].video, "v_b");
  EXPECT_EQ(paragraphs[0].text, "One. Two.");
  EXPECT_EQ(paragraphs[1].text, "");
}

TEST(Paragraphs, RefuseWhatIsNotText) {
  EXPECT_EQ(refusal("[]"), "p.json: expected a JSON object");
  EXPECT_EQ(refusal(R"({"v": ["a"]})"), "p.json: v: expected a paragraph of text, got [\"a\"]");
  EXPECT_EQ(refusal(R"({"v": "a", "v": "b"})"), "p.json: v stands in it twice");
}

}  // namespace pdvc
