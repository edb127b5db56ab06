#include "base/json.h"

#include <nlohmann/json.hpp>

#include "support/files.h"

namespace pdvc {

TEST(Json, ReportsLineAndColumnOfAMistake) {
  EXPECT_EQ(error_of([] { parse_json("{\"a\": 1,\n \"b\": ?}", "x.json"); }),
            "x.json: line 2, column 7: not valid JSON");
}

TEST(Json, ReportsACutFile) {
  EXPECT_EQ(error_of([] { parse_json("{\"a\": [1, 2", "x.json"); }),
            "x.json: line 1, column 12: not valid JSON");
}

TEST(Json, ExplainsPythonsNaN) {
  EXPECT_EQ(error_of([] { parse_json("[1, NaN]", "x.json"); }),
            "x.json: line 1, column 5: NaN and Infinity are not JSON");
}

TEST(Json, RefusesNumbersThatDoNotFitADouble) {
  EXPECT_EQ(error_of([] { parse_json("[1e999]", "x.json"); }),
            "x.json: line 1, column 6: number out of range");
}

TEST(Json, RefusesDeepNesting) {
  EXPECT_EQ(error_of([] { parse_json(std::string(100000, '['), "x.json"); }),
            "x.json: nests deeper than 32 levels");
}

TEST(Json, TakesAByteOrderMark) { EXPECT_EQ(parse_json("\xef\xbb\xbf[1]", "x.json").size(), 1); }

TEST(Json, HandsOutEntriesInFileOrderWithRepeatedKeys) {
  std::string order;
  for_each_json_entry(
      R"({"b": 1, "a": [2], "b": 3})", "x.json", "",
      [&](const std::string& key, Json&& value) { order += key + value.dump() + " "; });
  EXPECT_EQ(order, "b1 a[2] b3 ");
}

TEST(Json, HandsOutTheEntriesBelowAKeyAndReturnsTheRest) {
  std::string order;
  const Json rest = for_each_json_entry(
      R"({"version": "1", "results": {"v": {"results": {"x": 1}}}, "n": 2})", "x.json", "results",
      [&](const std::string& key, Json&& value) { order += key + value.dump(); });
  EXPECT_EQ(order, R"(v{"results":{"x":1}})");
  EXPECT_EQ(rest["version"], "1");
  EXPECT_EQ(rest["n"], 2);
}

TEST(Json, MissesTheObjectItWasToldToRead) {
  const JsonEntry nothing = [](const std::string&, Json&&) {};
  EXPECT_EQ(error_of([&] { for_each_json_entry("[]", "x.json", "", nothing); }),
            "x.json: expected a JSON object");
  EXPECT_EQ(
      error_of([&] { for_each_json_entry(R"({"results": []})", "x.json", "results", nothing); }),
      "x.json: expected a JSON object under \"results\"");
}

}  // namespace pdvc
