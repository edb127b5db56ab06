#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "manual.h"
#include "version_text.h"

namespace pdvc {
namespace {

// What CLI11 found for one field, still as words.
struct Capture {
  Field* field;
  CLI::Option* option = nullptr;
  std::string word;                // of an option with one value
  std::vector<std::string> words;  // of one that can be repeated
  bool flag = false;
};

// The captures of one FieldList; stable addresses, because CLI11 keeps pointers to them.
class Binding {
 public:
  Binding(CLI::App& app, FieldList& list) {
    captures_.reserve(list.all().size());
    for (Field& field : list.all()) bind(app, field);
  }

  void apply() {
    for (Capture& capture : captures_)
      if (capture.option->count() > 0) set(capture);
  }

 private:
  void bind(CLI::App& app, Field& field) {
    Capture& capture = captures_.emplace_back(Capture{.field = &field});
    const std::string names = option_names(field), help = option_help(field);
    if (std::holds_alternative<bool*>(field.target()))
      capture.option = app.add_flag(names, capture.flag, help);
    else if (std::holds_alternative<std::vector<std::string>*>(field.target()))
      capture.option =
          app.add_option(names, capture.words, help)->type_name(option_placeholder(field));
    else
      capture.option =
          app.add_option(names, capture.word, help)->type_name(option_placeholder(field));
    // One word after each "--stream"; a positional list takes all that are left.
    if (std::holds_alternative<std::vector<std::string>*>(field.target()) &&
        !field.is_positional() && !field.takes_many())
      capture.option->allow_extra_args(false);
    if (field.is_required()) capture.option->required();
  }

  // Numbers are handed over as numbers; what is not one is left to the field to refuse.
  static Json value_of(const Field& field, const std::string& word) {
    const bool number = std::holds_alternative<int64_t*>(field.target()) ||
                        std::holds_alternative<double*>(field.target());
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (!number || code != std::errc{} || end != word.data() + word.size()) return word;
    return value == std::floor(value) && std::abs(value) < 1e15 ? Json(static_cast<int64_t>(value))
                                                                : Json(value);
  }

  static void set(Capture& capture) try {
    Field& field = *capture.field;
    if (std::holds_alternative<bool*>(field.target()))
      field.set(true);
    else if (std::holds_alternative<std::vector<std::string>*>(field.target()))
      field.set(capture.words);
    else
      field.set(value_of(field, capture.word));
  } catch (const Error& error) {
    throw UsageError(join_text(option_title(*capture.field), ": ", error.what()));
  }

  std::vector<Capture> captures_;
};

std::string help_text(CLI::App& app, const std::string& parent, const std::string& examples) {
  std::string text = app.help(parent);
  if (!examples.empty()) text += "\nExamples:\n" + examples + "\n";
  return text;
}

// CLI11 knows several kinds of wrong usage; all are one line here.
std::string usage_message(const CLI::ParseError& error) {
  std::string message = error.what();
  std::ranges::replace(message, '\n', ' ');
  return message + " (see pdvc --help)";
}

// CLI11 would only say that words were not expected.
void check_command_known(const std::vector<std::string>& words,
                         const std::vector<Command>& commands) {
  const bool named = !words.empty() && !words[0].starts_with('-');
  if (named && std::ranges::count(commands, words[0], &Command::name) == 0)
    throw UsageError("unknown command " + words[0] + " (see pdvc --help)");
}

}  // namespace

void fields(GlobalOptions& o, FieldList& visit) {
  visit("quiet", o.quiet, "only errors");
  visit("verbose", o.verbose, "more about what is done");
  visit("threads", o.threads, "threads to use; default: the cores this process may use")
      .within(1, 4096)
      .placeholder("N");
  visit("progress", o.progress, "a bar on a terminal, or JSON lines")
      .one_of({"auto", "json", "none"});
}

ParsedLine parse_command_line(const std::vector<std::string>& words,
                              std::vector<Command>& commands) {
  check_command_known(words, commands);
  ParsedLine line;
  CLI::App app("pdvc finds what happens in a video, when, and says it in sentences.", "pdvc");
  app.set_help_flag("-h,--help", "show this help");
  bool version = false, manual = false, completion = false;
  app.add_flag("--version", version, "show versions and the instruction set in use");
  app.add_flag("--manual", manual, "print the man page")->group("");
  app.add_flag("--completion", completion, "print the completion script for bash")->group("");
  FieldList global_fields = fields_of(line.global);
  Binding global(app, global_fields);
  app.require_subcommand(0, 1);
  app.fallthrough();
  std::vector<std::pair<CLI::App*, Command*>> apps;
  std::vector<std::unique_ptr<Binding>> bindings;
  for (Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->fallthrough();
    bindings.push_back(std::make_unique<Binding>(*sub, command.options));
    apps.emplace_back(sub, &command);
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = std::ranges::find_if(apps, [](const auto& a) { return a.first->parsed(); });
    line.answer = chosen == apps.end()
                      ? help_text(app, "", "")
                      : help_text(*chosen->first, "pdvc", chosen->second->examples);
    return line;
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_message(error));
  }
  if (version) line.answer = version_text();
  if (manual) line.answer = manual_page(commands, global_fields);
  if (completion) line.answer = bash_completion(commands, global_fields);
  if (!line.answer.empty()) return line;
  global.apply();
  for (size_t i = 0; i < apps.size(); ++i)
    if (apps[i].first->parsed()) {
      bindings[i]->apply();
      line.command = apps[i].second;
    }
  if (!line.command) throw UsageError("which command? (see pdvc --help)");
  return line;
}

}  // namespace pdvc
