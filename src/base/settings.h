// Settings as plain structs: one fields() list per struct serves YAML files, the command line,
// --help and model files.
//
//   struct CounterSettings { int64_t max_events = 10; };
//   template <class Visit>
//   void fields(CounterSettings& s, Visit&& visit) {
//     visit("max_eseq_length", s.max_events, "the counter predicts 0..this").at_least(1);
//   }
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/log.h"

namespace pdvc {

// An enumeration as a setting: values 0..n-1, one name each. An enum E takes part by declaring,
// beside itself,
//   constexpr std::array<std::string_view, N> names_of(E);
struct NamedChoice {
  std::vector<std::string> names;
  std::function<int()> get;
  std::function<void(int)> set;
};

// A published key that nothing reads: any value is fine.
struct Unread {};

// One setting: its key, what it means, where its value lives and which values make sense.
class Field {
 public:
  using Target = std::variant<bool*, int64_t*, double*, std::string*, std::vector<std::string>*,
                              NamedChoice, Unread>;

  Field(std::string key, Target target, std::string help)
      : key_(std::move(key)), help_(std::move(help)), target_(std::move(target)) {}

  // Limits, chained where the field is declared.
  Field& at_least(double least);
  Field& within(double least, double most);
  Field& more_than(double bound);
  Field& one_of(std::vector<std::string> names);  // for text
  // For a key that has no target: the only value that this project supports; others are refused.
  Field& only(Json value);
  // How the command line shows and takes it.
  Field& positional();
  Field& required();
  Field& placeholder(std::string name);
  Field& letter(char letter);
  Field& many();  // a list that takes all words up to the next option

  // Throws Error("expected ..., got ...") and leaves the target alone when the value does not fit.
  void set(const Json& value);
  Json get() const;
  // What set() takes, in words: "a whole number of at least 1".
  std::string expectation() const;

  const std::string& key() const { return key_; }
  const std::string& help() const { return help_; }
  const Target& target() const { return target_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& placeholder() const { return placeholder_; }
  char letter() const { return letter_; }
  bool is_positional() const { return positional_; }
  bool takes_many() const { return many_; }
  bool is_required() const { return required_; }
  bool is_unread() const { return std::holds_alternative<Unread>(target_); }

 private:
  bool in_range(double value) const;
  std::string range_text() const;

  std::string key_;
  std::string help_;
  Target target_;
  double least_ = -std::numeric_limits<double>::infinity();
  double most_ = std::numeric_limits<double>::infinity();
  bool excludes_least_ = false;
  std::vector<std::string> names_;
  std::vector<Json> only_;  // empty, or the one supported value
  bool positional_ = false;
  bool required_ = false;
  bool many_ = false;
  std::string placeholder_;
  char letter_ = '\0';
};

// A value for a key and where it was written, for messages: "anet.yml: line 12".
struct SettingValue {
  std::string key;
  Json value;
  std::string origin;
};

// The fields of one struct, or of several that make up one set of settings.
class FieldList {
 public:
  template <class T>
  Field& operator()(const char* key, T& target, const char* help) {
    if constexpr (std::is_enum_v<T>)
      return add(key, choice(target), help);
    else
      return add(key, &target, help);
  }
  // Published keys that the original never reads: accepted with any value.
  void unread(std::initializer_list<const char*> keys);
  // A published key with one supported value, which needs no place to be kept.
  void fixed(const char* key, Json value);

  Field* find(std::string_view key);
  // Sets what the assignments name, in order. Unknown keys are warned about once, together.
  void apply(const std::vector<SettingValue>& assignments, Log& log);
  // {key: value} of every field that is read.
  Json to_json() const;

  std::vector<Field>& all() { return fields_; }
  const std::vector<Field>& all() const { return fields_; }

 private:
  Field& add(const char* key, Field::Target target, const char* help) {
    return fields_.emplace_back(key, std::move(target), help);
  }

  template <class E>
  static NamedChoice choice(E& target) {
    const auto names = names_of(E{});
    return {.names = {names.begin(), names.end()},
            .get = [&target] { return static_cast<int>(target); },
            .set = [&target](int value) { target = static_cast<E>(value); }};
  }

  std::vector<Field> fields_;
};

template <class Settings>
FieldList fields_of(Settings& settings) {
  FieldList list;
  fields(settings, list);
  return list;
}

template <class Settings>
Json settings_to_json(Settings settings) {
  return fields_of(settings).to_json();
}

}  // namespace pdvc
