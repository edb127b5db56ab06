#include "base/settings.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"

namespace pdvc {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang does not deduce aggregates yet

std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

// Published files write switches as 0 and 1.
std::optional<bool> to_bool(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer() && (value == 0 || value == 1)) return value == 1;
  return std::nullopt;
}

std::optional<int64_t> to_integer(const Json& value) {
  if (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX) return std::nullopt;
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  const bool whole = number == std::floor(number) && std::abs(number) < 9e15;
  return whole ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
}

std::optional<double> to_number(const Json& value) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) return std::nullopt;
  return value.get<double>();
}

std::optional<std::string> to_string(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

// One name stands for a list of one.
std::optional<std::vector<std::string>> to_strings(const Json& value) {
  if (value.is_null()) return std::vector<std::string>{};
  if (value.is_string()) return std::vector{value.get<std::string>()};
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> list;
  for (const Json& item : value) {
    if (!item.is_string()) return std::nullopt;
    list.push_back(item.get<std::string>());
  }
  return list;
}

bool same_value(const Json& a, const Json& b) {
  if (a == b) return true;
  const auto left = to_bool(a);
  return left && left == to_bool(b);  // 1 and true are one value in published files
}

}  // namespace

Field& Field::at_least(double least) {
  least_ = least;
  return *this;
}

Field& Field::within(double least, double most) {
  least_ = least;
  most_ = most;
  return *this;
}

Field& Field::more_than(double bound) {
  least_ = bound;
  excludes_least_ = true;
  return *this;
}

Field& Field::one_of(std::vector<std::string> names) {
  names_ = std::move(names);
  return *this;
}

Field& Field::only(Json value) {
  only_ = {std::move(value)};
  return *this;
}

Field& Field::positional() {
  positional_ = true;
  return *this;
}

Field& Field::required() {
  required_ = true;
  return *this;
}

Field& Field::placeholder(std::string name) {
  placeholder_ = std::move(name);
  return *this;
}

Field& Field::letter(char letter) {
  letter_ = letter;
  return *this;
}

Field& Field::many() {
  many_ = true;
  return *this;
}

bool Field::in_range(double value) const {
  return value <= most_ && (excludes_least_ ? value > least_ : value >= least_);
}

std::string Field::range_text() const {
  const bool bounded_below = std::isfinite(least_), bounded_above = std::isfinite(most_);
  if (bounded_below && bounded_above) return join_text(" from ", least_, " to ", most_);
  if (bounded_below) return join_text(excludes_least_ ? " above " : " of at least ", least_);
  return "";
}

std::string Field::expectation() const {
  if (!only_.empty()) return json_text(only_[0]) + ", the only supported value";
  return std::visit(
      Overloaded{[](bool*) -> std::string { return "true or false"; },
                 [this](int64_t*) { return "a whole number" + range_text(); },
                 [this](double*) { return "a number" + range_text(); },
                 [this](std::string*) { return names_.empty() ? "text" : list_text(names_); },
                 [](std::vector<std::string>*) -> std::string { return "a list of names"; },
                 [](const NamedChoice& choice) { return list_text(choice.names); },
                 [](Unread) -> std::string { return "anything"; }},
      target_);
}

void Field::set(const Json& value) {
  const auto take = [&](auto* target, auto parsed) {
    if (parsed) *target = std::move(*parsed);
    return parsed.has_value();
  };
  const auto take_number = [&](auto* target, auto parsed) {
    return parsed && in_range(static_cast<double>(*parsed)) && take(target, parsed);
  };
  const bool supported = only_.empty() || same_value(value, only_[0]);
  const bool fits =
      supported &&
      std::visit(
          Overloaded{
              [&](bool* target) { return take(target, to_bool(value)); },
              [&](int64_t* target) { return take_number(target, to_integer(value)); },
              [&](double* target) { return take_number(target, to_number(value)); },
              [&](std::string* target) {
                const auto text = to_string(value);
                const bool known =
                    names_.empty() || (text && std::ranges::count(names_, *text) > 0);
                return known && take(target, text);
              },
              [&](std::vector<std::string>* target) { return take(target, to_strings(value)); },
              [&](const NamedChoice& choice) {
                if (!value.is_string()) return false;
                const auto at = std::ranges::find(choice.names, value.get<std::string>());
                if (at == choice.names.end()) return false;
                choice.set(static_cast<int>(at - choice.names.begin()));
                return true;
              },
              [](Unread) { return true; }},
          target_);
  check(fits, "expected ", expectation(), ", got ", json_excerpt(value));
}

Json Field::get() const {
  return std::visit(
      Overloaded{[](const NamedChoice& choice) {
                   return Json(choice.names.at(static_cast<size_t>(choice.get())));
                 },
                 [](Unread) { return Json(nullptr); }, [](auto* target) { return Json(*target); }},
      target_);
}

void FieldList::unread(std::initializer_list<const char*> keys) {
  for (const char* key : keys) fields_.emplace_back(key, Unread{}, "");
}

void FieldList::fixed(const char* key, Json value) {
  fields_.emplace_back(key, Unread{}, "").only(std::move(value));
}

Field* FieldList::find(std::string_view key) {
  const auto at = std::ranges::find(fields_, key, &Field::key);
  return at == fields_.end() ? nullptr : &*at;
}

void FieldList::apply(const std::vector<SettingValue>& assignments, Log& log) {
  std::vector<std::string> unknown;
  for (const auto& [key, value, origin] : assignments) try {
      if (Field* field = find(key))
        field->set(value);
      else
        unknown.push_back(join_text(key, " (", origin, ")"));
    } catch (const Error& error) {
      fail(origin, ": ", key, ": ", error.what());
    }
  if (unknown.empty()) return;
  std::string names = unknown[0];
  for (size_t i = 1; i < unknown.size(); ++i) names += ", " + unknown[i];
  log.warning(join_text("unknown settings are ignored: ", names));
}

Json FieldList::to_json() const {
  Json object = Json::object();
  for (const Field& field : fields_)
    if (!field.is_unread()) object[field.key()] = field.get();
  return object;
}

}  // namespace pdvc
