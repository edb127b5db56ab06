#include "base/settings_file.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/printable.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

// Published files are 3 KB. What is far larger is no settings file, and YAML parsers are slow.
constexpr size_t kLargestFile = 1 << 20;
constexpr size_t kLongestList = 1000;
constexpr size_t kLongestChain = 16;
constexpr size_t kUnfolding = 16;
constexpr size_t kSlack = 1 << 16;
constexpr const char* kBaseKey = "base_cfg_path";

std::string origin_of(const std::string& name, const YAML::Mark& mark) {
  return mark.line < 0 ? name : join_text(name, ": line ", mark.line + 1);
}

std::optional<Json> parse_number(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  if (begin == end || (!std::isdigit(static_cast<unsigned char>(end[-1])) && end[-1] != '.'))
    return std::nullopt;  // from_chars would take "inf" and "nan"
  int64_t integer = 0;
  if (auto [stop, code] = std::from_chars(begin, end, integer); stop == end && code == std::errc{})
    return Json(integer);
  double number = 0;
  if (auto [stop, code] = std::from_chars(begin, end, number); stop == end && code == std::errc{})
    return Json(number);
  return std::nullopt;
}

// The types that YAML gives a plain word; quoted text stays text.
Json scalar_value(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;
  for (const char* word : {"", "~", "null", "Null", "NULL"})
    if (text == word) return nullptr;
  for (const char* word : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
    if (text == word) return true;
  for (const char* word : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
    if (text == word) return false;
  return parse_number(text).value_or(Json(text));
}

// No setting takes nested values. They are not unfolded, so that aliases cannot multiply what a
// small file holds; what stands for them fits no field, and an unknown key may have anything.
Json nested_value() { return Json::object({{"...", "..."}}); }

// Roughly what turning a value into JSON costs.
size_t size_of_value(const YAML::Node& node) {
  constexpr size_t kEntry = 32;
  size_t size = kEntry + (node.IsScalar() ? node.Scalar().size() : 0);
  if (node.IsSequence() && node.size() <= kLongestList)  // a longer one is refused
    for (const YAML::Node& item : node)
      size += kEntry + (item.IsScalar() ? item.Scalar().size() : 0);
  return size;
}

Json list_value(const YAML::Node& node, const std::string& origin) {
  check(node.size() <= kLongestList, origin, ": a list of more than ", kLongestList, " entries");
  Json list = Json::array();
  for (const YAML::Node& item : node) {
    if (item.IsScalar())
      list.push_back(scalar_value(item));
    else
      list.push_back(item.IsNull() ? Json(nullptr) : nested_value());
  }
  return list;
}

Json node_value(const YAML::Node& node, const std::string& origin) {
  if (node.IsScalar()) return scalar_value(node);
  if (node.IsSequence()) return list_value(node, origin);
  return node.IsMap() ? nested_value() : Json(nullptr);
}

YAML::Node load_yaml(std::string_view text, const std::string& name) try {
  return YAML::Load(std::string(text));
} catch (const YAML::Exception& error) {
  fail(origin_of(name, error.mark), ": not valid YAML: ", error.msg);
}

// The file that `base` names, seen from the file that names it.
fs::path find_base(const fs::path& file, const std::string& base, const std::string& origin) {
  fs::path folder = fs::absolute(file).parent_path();
  for (fs::path last; folder != last; last = folder, folder = folder.parent_path())
    if (std::error_code ignored; fs::is_regular_file(folder / base, ignored)) return folder / base;
  fail(origin, ": ", kBaseKey, ": ", printable(base),
       " is neither beside this file nor in a folder above it");
}

void append_file(const fs::path& path, std::vector<fs::path>& chain,
                 std::vector<SettingValue>& result) {
  const fs::path identity = fs::weakly_canonical(path);
  check(std::ranges::count(chain, identity) == 0, path, ": ", kBaseKey, " leads back to this file");
  check(chain.size() < kLongestChain, path, ": more than ", kLongestChain,
        " settings files in a chain");
  chain.push_back(identity);
  const MappedFile file(path);
  const std::vector<SettingValue> own = parse_settings(as_text(file.bytes()), path.string());
  const auto base = std::ranges::find(own, kBaseKey, &SettingValue::key);
  if (base != own.end() && base->value.is_string() && path.extension() != ".json")
    append_file(find_base(path, base->value.get<std::string>(), base->origin), chain, result);
  result.insert(result.end(), own.begin(), own.end());
}

}  // namespace

std::vector<SettingValue> parse_settings(std::string_view text, const std::string& name) {
  check(text.size() <= kLargestFile, name, ": too large for a settings file (", text.size(),
        " bytes)");
  const YAML::Node root = load_yaml(text, name);
  check(root.IsMap(), name, ": expected lines of \"key: value\"");
  std::vector<SettingValue> result;
  size_t unfolded = 0;  // an alias repeats what it names
  for (const auto& entry : root) {
    const std::string origin = origin_of(name, entry.first.Mark());
    unfolded += size_of_value(entry.second);
    check(unfolded <= kUnfolding * text.size() + kSlack, name,
          ": its aliases multiply its own contents");
    check(entry.first.IsScalar(), origin, ": expected a name as key");
    const std::string key = printable(entry.first.Scalar());
    result.push_back({key, node_value(entry.second, origin + ": " + key), origin});
  }
  return result;
}

std::vector<SettingValue> read_settings_file(const fs::path& path) {
  std::vector<SettingValue> result;
  std::vector<fs::path> chain;
  append_file(path, chain, result);
  return result;
}

SettingValue parse_setting(const std::string& text) {
  const size_t equals = text.find('=');
  check(equals != std::string::npos && equals > 0, printable(text), ": expected key=value");
  const std::string key = text.substr(0, equals);
  const std::string origin = "command line";
  const YAML::Node node = load_yaml(text.substr(equals + 1), origin + ": " + printable(key));
  return {key, node_value(node, origin + ": " + printable(key)), origin};
}

}  // namespace pdvc
