// Settings files: flat YAML as published, or the JSON dump of a run's options.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace pdvc {

// Reads a settings file. `base_cfg_path` names another that comes first: relative to the file
// itself, or to a folder above it (published files name it from the folder that holds cfgs/). A
// .json file is a run's complete options, so its base is not read again.
std::vector<SettingValue> read_settings_file(const std::filesystem::path& path);

// The text of one YAML file, without following its base. `name` is for messages.
std::vector<SettingValue> parse_settings(std::string_view text, const std::string& name);

// "key=value" from a command line; the value is read as YAML would.
SettingValue parse_setting(const std::string& text);

}  // namespace pdvc
