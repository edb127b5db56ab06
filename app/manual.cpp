#include "manual.h"

#include <algorithm>

#include "base/version.h"

namespace pdvc {
namespace {

std::string long_name(const Field& field) {
  std::string name = field.key();
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string joined(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

std::vector<std::string> choices_of(const Field& field) {
  if (const auto* choice = std::get_if<NamedChoice>(&field.target())) return choice->names;
  return field.names();
}

bool is_flag(const Field& field) { return std::holds_alternative<bool*>(field.target()); }

// roff takes a leading dot or quote for a request, and a backslash for an escape.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string roff_options(const FieldList& fields) {
  std::string text;
  for (const Field& field : fields.all()) {
    const std::string value = is_flag(field) || field.is_positional()
                                  ? ""
                                  : " \\fI" + roff(option_placeholder(field)) + "\\fR";
    text += ".TP\n\\fB" + roff(option_title(field)) + "\\fR" + value + "\n" +
            roff(option_help(field)) + "\n";
  }
  return text;
}

std::string option_words(const FieldList& fields) {
  std::string words;
  for (const Field& field : fields.all())
    if (!field.is_positional()) words += "--" + long_name(field) + " ";
  return words;
}

}  // namespace

std::string option_names(const Field& field) {
  if (field.is_positional()) return field.key();
  return (field.letter() ? std::string("-") + field.letter() + "," : "") + "--" + long_name(field);
}

std::string option_title(const Field& field) {
  return field.is_positional() ? upper(field.key()) : "--" + long_name(field);
}

std::string option_placeholder(const Field& field) {
  if (!field.placeholder().empty()) return field.placeholder();
  const auto choices = choices_of(field);
  return choices.empty() ? "VALUE" : joined(choices, "|");
}

std::string option_help(const Field& field) {
  const Json value = field.get();
  const bool has_default = !choices_of(field).empty() || (value.is_number() && value != 0);
  if (is_flag(field) || field.is_required() || !has_default) return field.help();
  return field.help() +
         " (default: " + (value.is_string() ? value.get<std::string>() : value.dump()) + ")";
}

std::string manual_page(const std::vector<Command>& commands, const FieldList& global) {
  std::string page = ".TH PDVC 1 \"\" \"pdvc " + version() + "\" \"User Commands\"\n";
  page +=
      ".SH NAME\npdvc \\- dense video captioning: what happens in a video, when, in sentences\n";
  page += ".SH SYNOPSIS\n.B pdvc\n\\fICOMMAND\\fR ...\n.br\n.B pdvc\n\\-\\-help | \\-\\-version\n";
  page += ".SH OPTIONS OF EVERY COMMAND\n" + roff_options(global);
  for (const Command& command : commands) {
    page += ".SH " + upper(command.name) + "\n\\fBpdvc " + roff(command.name) +
            "\\fR: " + roff(command.summary) + ".\n";
    page += roff_options(command.options);
    page += ".PP\nExamples:\n.nf\n" + roff(command.examples) + "\n.fi\n";
  }
  page += ".SH EXIT STATUS\n0 done, 1 the work failed, 2 wrong usage, 130 interrupted.\n";
  page +=
      ".SH ENVIRONMENT\n.TP\n\\fBPDVC_CACHE\\fR\nwhere fetched data and weights are kept; default "
      "$XDG_CACHE_HOME/pdvc, else ~/.cache/pdvc\n";
  return page;
}

std::string bash_completion(const std::vector<Command>& commands, const FieldList& global) {
  std::string names, cases;
  for (const Command& command : commands) {
    names += command.name + " ";
    cases += "    " + command.name + ") options=\"" + option_words(command.options) + "\" ;;\n";
  }
  std::string values;
  const auto add_values = [&](const FieldList& fields) {
    for (const Field& field : fields.all())
      if (!choices_of(field).empty())
        values += "    --" + long_name(field) + ") COMPREPLY=($(compgen -W \"" +
                  joined(choices_of(field), " ") + "\" -- \"$word\")); return ;;\n";
  };
  add_values(global);
  for (const Command& command : commands) add_values(command.options);
  return "_pdvc() {\n  local word=${COMP_WORDS[COMP_CWORD]} options=\"\"\n  case "
         "${COMP_WORDS[COMP_CWORD-1]} in\n" +
         values + "  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"" +
         names +
         "--help --version\" -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n" +
         cases +
         "  esac\n  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options --help " +
         option_words(global) +
         "\" -- \"$word\"))\n  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\ncomplete "
         "-o filenames -F _pdvc pdvc\n";
}

}  // namespace pdvc
