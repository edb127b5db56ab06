// The man page and the completion script, made from the same fields as --help.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace pdvc {

// "--rank-weight,-r" style names as CLI11 takes them; positional ones have no dashes.
std::string option_names(const Field& field);
std::string option_title(const Field& field);  // "--rank-weight", or "FILE" for a positional one
std::string option_placeholder(const Field& field);  // "N", "FILE", "f32|bf16"
std::string option_help(const Field& field);         // with the default where there is one

std::string manual_page(const std::vector<Command>& commands, const FieldList& global);
std::string bash_completion(const std::vector<Command>& commands, const FieldList& global);

}  // namespace pdvc
