// Checks the direction of includes: a file uses only its own folder or an earlier one of its
// library or of pdvc_data.
//
//   check_layers PROJECT    exits 1 and names each include that points the wrong way
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;

enum class Library { data, runtime, trainer };

struct Folder {
  std::string_view name;
  Library library;
};

// In dependency order; runtime and trainer never see each other.
constexpr std::array kFolders{
    Folder{"base", Library::data},         Folder{"event", Library::data},
    Folder{"tensor", Library::data},       Folder{"text", Library::data},
    Folder{"data", Library::data},         Folder{"evaluation", Library::data},
    Folder{"output", Library::data},       Folder{"kernels", Library::runtime},
    Folder{"video", Library::runtime},     Folder{"shapes", Library::runtime},
    Folder{"runtime", Library::runtime},   Folder{"server", Library::runtime},
    Folder{"interface", Library::runtime}, Folder{"model", Library::trainer},
    Folder{"criterion", Library::trainer}, Folder{"training", Library::trainer},
};

std::optional<size_t> position_of(std::string_view folder) {
  const auto at = std::ranges::find(kFolders, folder, &Folder::name);
  if (at == kFolders.end()) return std::nullopt;
  return static_cast<size_t>(at - kFolders.begin());
}

bool may_include(size_t from, size_t to) {
  const Library own = kFolders[from].library, other = kFolders[to].library;
  return to <= from && (other == own || other == Library::data);
}

// What is wrong with an include in a file of folder `from`, or nothing.
std::string problem(size_t from, const std::string& included) {
  const bool torch = included.starts_with("torch/") || included.starts_with("ATen/") ||
                     included.starts_with("c10/");
  if (torch && kFolders[from].library != Library::trainer) return "Torch belongs to the trainer";
  if (included.starts_with("oneapi/") && kFolders[from].name != "kernels" &&
      kFolders[from].name != "video")
    return "oneDNN belongs to kernels and video";
  if (included.starts_with("libav") && kFolders[from].name != "video" &&
      kFolders[from].name != "shapes")
    return "FFmpeg belongs to video and shapes";
  const auto to = position_of(included.substr(0, included.find('/')));
  if (to && included.find('/') != std::string::npos && !may_include(from, *to))
    return "points to a later folder";
  return "";
}

// What a line includes, or nothing.
std::string included_by(std::string_view line) {
  const auto skip_space = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  skip_space();
  if (!line.starts_with('#')) return "";
  line.remove_prefix(1);
  skip_space();
  if (!line.starts_with("include")) return "";
  const size_t begin = line.find_first_of("<\""), end = line.find_last_of(">\"");
  return begin == std::string_view::npos || end <= begin
             ? ""
             : std::string(line.substr(begin + 1, end - begin - 1));
}

int check_file(const fs::path& file, size_t folder) {
  int wrong = 0;
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string included = included_by(line);
    const std::string what = included.empty() ? "" : problem(folder, included);
    if (what.empty()) continue;
    std::cerr << file.string() << ":" << number << ": " << included << ": " << what << '\n';
    ++wrong;
  }
  return wrong;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "check_layers: expected the project's folder\n";
    return 2;
  }
  int wrong = 0, files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(words[1]) / "src")) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    const auto folder = position_of(entry.path().parent_path().filename().string());
    if (!folder) {
      std::cerr << entry.path().string() << ": is in no known folder\n";
      ++wrong;
      continue;
    }
    wrong += check_file(entry.path(), *folder);
    ++files;
  }
  std::cout << files << " files, " << wrong << " includes in the wrong direction\n";
  return wrong > 0 || files == 0 ? 1 : 0;
}
