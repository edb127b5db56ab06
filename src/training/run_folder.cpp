#include "training/run_folder.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"

namespace pdvc {

void RunFolder::create() const {
  check(!std::filesystem::exists(last()), path_,
        ": holds a run already (go on with --resume, or choose another folder)");
  std::error_code code;
  std::filesystem::create_directories(path_, code);
  check(!code, path_, ": cannot be made: ", code.message());
}

void RunFolder::check_holds_run() const {
  check(std::filesystem::exists(last()), last(),
        ": no such file, so there is no run to go on with");
}

std::string settings_text(const Settings& settings) {
  Settings copy = settings;
  std::string text = "# All settings of this run.\n";
  const Json json = fields_of(copy).to_json();  // JSON is YAML, value by value
  for (const auto& [key, value] : json.items()) text += key + ": " + json_text(value) + "\n";
  return text;
}

}  // namespace pdvc
