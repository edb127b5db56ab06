#include "base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/printable.h"

namespace pdvc {
namespace {

std::string position_text(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return join_text("line ", line, ", column ", before.size() - line_start + 1);
}

// Python writes these, JSON does not know them.
bool is_python_number(std::string_view text, size_t offset) {
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  return rest.starts_with("NaN") || rest.starts_with("Infinity") || rest.starts_with("-Infinity");
}

// Collects values into documents, and hands the entries of one object over as they end.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void deliver(const std::string& under, const JsonEntry& entry) {
    entry_ = &entry;
    under_ = under;
  }
  Json take() { return std::move(root_); }
  // Whether the object whose entries were asked for was there.
  bool delivered_object() const { return seen_object_; }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& key) override {
    keys_.back() = std::move(key);
    return true;
  }
  bool parse_error(std::size_t offset, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const size_t at = offset > 0 ? offset - 1 : 0;
    const size_t token = text_.find_last_of(" \t\r\n,:[{", at);
    if (is_python_number(text_, token + 1))
      fail(name_, ": ", position_text(text_, token + 1), ": NaN and Infinity are not JSON");
    const bool range = error.id == 406;
    fail(name_, ": ", position_text(text_, at),
         range ? ": number out of range" : ": not valid JSON");
  }

 private:
  bool add(Json&& value) {
    place(std::move(value));
    return true;
  }

  bool open(Json&& container) {
    check(stack_.size() < kDeepestJson, name_, ": nests deeper than ", kDeepestJson, " levels");
    if (is_delivered_object()) seen_object_ = seen_object_ || container.is_object();
    stack_.push_back(std::move(container));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    Json value = std::move(stack_.back());
    stack_.pop_back();
    keys_.pop_back();
    place(std::move(value));
    return true;
  }

  // The container that opens next is the one whose entries go to entry_.
  bool is_delivered_object() const {
    if (!entry_) return false;
    return under_.empty() ? stack_.empty() : stack_.size() == 1 && keys_[0] == under_;
  }

  bool delivers_here() const {
    if (!entry_ || !stack_.back().is_object()) return false;
    return under_.empty() ? stack_.size() == 1 : stack_.size() == 2 && keys_[0] == under_;
  }

  void place(Json&& value) {
    if (stack_.empty())
      root_ = std::move(value);
    else if (delivers_here())
      (*entry_)(keys_.back(), std::move(value));
    else if (stack_.back().is_array())
      stack_.back().push_back(std::move(value));
    else
      stack_.back()[keys_.back()] = std::move(value);
  }

  std::string_view text_;
  const std::string& name_;
  const JsonEntry* entry_ = nullptr;
  std::string under_;
  bool seen_object_ = false;
  std::vector<Json> stack_;        // containers not yet closed
  std::vector<std::string> keys_;  // of each, the key being filled
  Json root_;
};

// Editors on Windows put a byte order mark in front.
std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name) {
  text = without_mark(text);
  Builder builder(text, name);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

Json for_each_json_entry(std::string_view text, const std::string& name, const std::string& under,
                         const JsonEntry& entry) {
  text = without_mark(text);
  Builder builder(text, name);
  builder.deliver(under, entry);
  Json::sax_parse(text.begin(), text.end(), &builder);
  if (!builder.delivered_object())
    fail(name, ": expected a JSON object", under.empty() ? "" : " under \"", under,
         under.empty() ? "" : "\"");
  return builder.take();
}

std::string json_excerpt(const Json& value) { return printable(json_text(value), 60); }

std::string json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace pdvc
