#include "base/settings.h"

#include <gmock/gmock.h>

#include "base/settings_file.h"
#include "support/files.h"

namespace pdvc {
namespace {

enum class Colour { red, green };
constexpr std::array<std::string_view, 2> names_of(Colour) { return {"red", "green"}; }

struct Sample {
  int64_t width = 4;
  double rate = 0.5;
  bool on = false;
  std::string name = "x";
  std::vector<std::string> list;
  Colour colour = Colour::red;
};

Sample parsed(const std::string& yaml, Log& log);

}  // namespace

void fields(Sample& s, FieldList& visit) {
  visit("width", s.width, "a width").within(1, 100);
  visit("rate", s.rate, "a rate").more_than(0);
  visit("on", s.on, "a switch");
  visit("name", s.name, "a name");
  visit("list", s.list, "names");
  visit("colour", s.colour, "a colour");
  visit.fixed("kind", 1);
  visit.unread({"old"});
}

namespace {

Sample parsed(const std::string& yaml, Log& log) {
  Sample sample;
  FieldList list;
  fields(sample, list);
  list.apply(parse_settings(yaml, "a.yml"), log);
  return sample;
}

std::string refusal(const std::string& yaml) {
  RecordingLog log;
  return error_of([&] { parsed(yaml, log); });
}

}  // namespace

TEST(Settings, AreReadFromYamlWithPublishedSpellings) {
  RecordingLog log;
  const Sample s = parsed(
      "width: 7\nrate: 5e-5\non: 1\nname: b\nlist: [p, q]\ncolour: green\nold: {a: [1]}\nkind: "
      "true\n",
      log);
  EXPECT_EQ(s.width, 7);
  EXPECT_DOUBLE_EQ(s.rate, 5e-5);
  EXPECT_TRUE(s.on);
  EXPECT_EQ(s.name, "b");
  EXPECT_THAT(s.list, testing::ElementsAre("p", "q"));
  EXPECT_EQ(s.colour, Colour::green);
  EXPECT_EQ(log.str(), "");
}

TEST(Settings, TakeOneNameForAListAndNullForNone) {
  RecordingLog log;
  EXPECT_THAT(parsed("list: c3d", log).list, testing::ElementsAre("c3d"));
  EXPECT_THAT(parsed("list: null", log).list, testing::IsEmpty());
  EXPECT_EQ(parsed("name: ~", log).name, "");
}

TEST(Settings, LetTheLaterOfRepeatedKeysCount) {
  RecordingLog log;
  EXPECT_EQ(parsed("width: 1\nwidth: 2\n", log).width, 2);
}

TEST(Settings, RefuseValuesNamingFileLineKeyAndBothSides) {
  EXPECT_EQ(refusal("on: 0\nwidth: ten\n"),
            "a.yml: line 2: width: expected a whole number from 1 to 100, got \"ten\"");
  EXPECT_EQ(refusal("width: 0"),
            "a.yml: line 1: width: expected a whole number from 1 to 100, got 0");
  EXPECT_EQ(refusal("width: 2.5"),
            "a.yml: line 1: width: expected a whole number from 1 to 100, got 2.5");
  EXPECT_EQ(refusal("rate: -1"), "a.yml: line 1: rate: expected a number above 0, got -1");
  EXPECT_EQ(refusal("rate: .nan"), "a.yml: line 1: rate: expected a number above 0, got \".nan\"");
  EXPECT_EQ(refusal("on: maybe"), "a.yml: line 1: on: expected true or false, got \"maybe\"");
  EXPECT_EQ(refusal("colour: blue"), "a.yml: line 1: colour: expected red or green, got \"blue\"");
  EXPECT_EQ(refusal("list: [a, 3]"),
            "a.yml: line 1: list: expected a list of names, got [\"a\",3]");
  EXPECT_EQ(refusal("width: {a: 1}"),
            "a.yml: line 1: width: expected a whole number from 1 to 100, got {\"...\":\"...\"}");
  EXPECT_EQ(refusal("kind: 2"), "a.yml: line 1: kind: expected 1, the only supported value, got 2");
}

TEST(Settings, WarnOnceAboutAllUnknownKeys) {
  RecordingLog log;
  parsed("widht: 7\nname: b\nzoom: {a: 1}\n", log);
  EXPECT_EQ(
      log.str(),
      "test: warning: unknown settings are ignored: widht (a.yml: line 1), zoom (a.yml: line 3)\n");
}

TEST(Settings, GoToJsonAndBackUnchanged) {
  Sample sample{
      .width = 9, .rate = 0.1, .on = true, .name = "n", .list = {"a"}, .colour = Colour::green};
  FieldList list;
  fields(sample, list);
  const Json json = list.to_json();
  EXPECT_EQ(
      json,
      Json::parse(
          R"({"width": 9, "rate": 0.1, "on": true, "name": "n", "list": ["a"], "colour": "green"})"));
}

TEST(Settings, RefuseWhatIsNotYaml) {
  EXPECT_EQ(refusal("a: [1, 2"), "a.yml: line 1: not valid YAML: end of sequence flow not found");
  EXPECT_EQ(refusal("- a\n- b\n"), "a.yml: expected lines of \"key: value\"");
  EXPECT_EQ(refusal(std::string(2 << 20, '#')),
            "a.yml: too large for a settings file (2097152 bytes)");
}

TEST(Settings, AreNotMultipliedByYamlAliases) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 0; j < 9; ++j) bomb += ", " + last;
    bomb += "]\n";
  }
  RecordingLog log;
  EXPECT_EQ(parsed(bomb + "width: 3\n", log).width, 3);
}

TEST(Settings, RefuseAliasesThatRepeatALongText) {
  std::string bomb = "a: &a " + std::string(50000, 'x') + "\n";
  for (int i = 0; i < 1000; ++i) bomb += "k" + std::to_string(i) + ": *a\n";
  EXPECT_EQ(refusal(bomb), "a.yml: its aliases multiply its own contents");
}

TEST(Settings, RefuseDeepYaml) {
  EXPECT_THAT(refusal("a: " + std::string(5000, '[') + std::string(5000, ']')),
              testing::HasSubstr("not valid YAML"));
}

TEST(SettingsFile, ReadsItsBaseFirst) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "cfgs");
  folder.write("cfgs/base.yml", "width: 1\nrate: 2\n");
  const auto file = folder.write("cfgs/own.yml", "base_cfg_path: cfgs/base.yml\nwidth: 3\n");
  std::string order;
  for (const auto& a : read_settings_file(file)) order += a.key + "=" + a.value.dump() + " ";
  EXPECT_EQ(order, "width=1 rate=2 base_cfg_path=\"cfgs/base.yml\" width=3 ");
}

TEST(SettingsFile, FindsABaseBesideItself) {
  const TemporaryFolder folder;
  folder.write("base.yml", "width: 1\n");
  EXPECT_EQ(read_settings_file(folder.write("own.yml", "base_cfg_path: base.yml\n")).size(), 2);
}

TEST(SettingsFile, ReportsABaseThatIsMissingOrCircular) {
  const TemporaryFolder folder;
  const auto missing = folder.write("a.yml", "width: 1\nbase_cfg_path: no.yml\n");
  EXPECT_EQ(
      error_of([&] { read_settings_file(missing); }),
      missing.string() +
          ": line 2: base_cfg_path: no.yml is neither beside this file nor in a folder above it");
  const auto circular = folder.write("b.yml", "base_cfg_path: b.yml\n");
  EXPECT_EQ(error_of([&] { read_settings_file(circular); }),
            circular.string() + ": base_cfg_path leads back to this file");
}

TEST(SettingsFile, TakesAJsonDumpAsComplete) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("options.json", R"({"base_cfg_path": "cfgs/gone.yml", "width": 3})");
  EXPECT_EQ(read_settings_file(file).size(), 2);
}

TEST(SettingsFile, ReadsAssignmentsFromACommandLine) {
  EXPECT_EQ(parse_setting("lr=1e-4").value, Json(1e-4));
  EXPECT_EQ(parse_setting("visual_feature_type=[a, b]").value, Json({"a", "b"}));
  EXPECT_EQ(parse_setting("name=").value, Json(nullptr));
  EXPECT_EQ(error_of([] { parse_setting("name"); }), "name: expected key=value");
}

}  // namespace pdvc
