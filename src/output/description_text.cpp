// The text form of a description.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "output/description.h"

namespace pdvc {
namespace {

constexpr size_t kMostRows = 300;  // of a table; --json has them all
constexpr size_t kLongestName = 100;

bool is_table(const Description& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Description& row) { return row.is_object(); });
}

std::string cell(const Description& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return printable(value.get<std::string>(), kLongestName);
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  std::string text = value.dump(-1, ' ', false, Description::error_handler_t::replace);
  if (!value.is_array()) return printable(text, kLongestName);
  std::string spaced;
  for (const char c : text) spaced += c == ',' ? ", " : std::string(1, c);
  return printable(spaced, kLongestName);
}

std::vector<std::string> columns_of(const Description& table) {
  std::vector<std::string> columns;
  for (const Description& row : table)
    for (const auto& [key, value] : row.items())
      if (std::ranges::count(columns, key) == 0) columns.push_back(key);
  return columns;
}

// Columns as wide as their widest cell.
std::string table_text(const Description& table) {
  const std::vector<std::string> columns = columns_of(table);
  std::vector<std::vector<std::string>> lines = {columns};
  for (const Description& row : table) {
    if (lines.size() > kMostRows) break;
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::string& column : columns)
      line.push_back(row.contains(column) ? cell(row[column]) : "");
  }
  std::vector<size_t> widths(columns.size(), 0);
  for (const auto& line : lines)
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto& line : lines) {
    std::string row = "  ";
    for (size_t i = 0; i < line.size(); ++i) row += fmt::format("{:<{}}  ", line[i], widths[i]);
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  if (table.size() + 1 > lines.size())
    text += fmt::format("  ... {} more (--json)\n", table.size() + 1 - lines.size());
  return text;
}

std::string object_text(const Description& object, size_t indent) {
  size_t width = 0;
  for (const auto& [key, value] : object.items())
    if (!is_table(value) && !value.is_object()) width = std::max(width, key.size());
  std::string text;
  for (const auto& [key, value] : object.items()) {
    const std::string margin(indent, ' ');
    const std::string name = printable(key);
    if (is_table(value))
      text += fmt::format("{}{} ({})\n{}", margin, name, value.size(), table_text(value));
    else if (value.is_object() && !value.empty())
      text += fmt::format("{}{}\n{}", margin, name, object_text(value, indent + 2));
    else
      text += fmt::format("{}{:<{}}  {}\n", margin, name, width, cell(value));
  }
  return text;
}

}  // namespace

std::string description_text(const Description& description) { return object_text(description, 0); }

}  // namespace pdvc
