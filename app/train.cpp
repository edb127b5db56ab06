// pdvc train: hands over to pdvc-train, which has LibTorch; exporting a checkpoint needs none.
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/process.h"
#include "data/conversion.h"
#include "train_options.h"

namespace pdvc {
namespace {

namespace fs = std::filesystem;

int export_checkpoint(const TrainOptions& options, Session& session) {
  if (options.words.size() != 3) throw UsageError("train export: expected CHECKPOINT and OUT");
  const fs::path out = options.words[2];
  if (out.extension() == ".pth")
    convert_to_checkpoint(options.words[1], out, session.log);
  else
    export_model(options.words[1], out, session.log);
  return 0;
}

// Beside this program, else where the shell would find it.
fs::path trainer() {
  const fs::path beside = fs::read_symlink("/proc/self/exe").parent_path() / "pdvc-train";
  return fs::exists(beside) ? beside : fs::path("pdvc-train");
}

int hand_over(const Session& session) {
  std::vector<std::string> words = {trainer().string()};
  words.insert(words.end(), session.words.begin(), session.words.end());
  execvp(words[0].c_str(), argument_pointers(words).data());
  fail("pdvc-train: is not installed (it comes with `make build`, which needs LibTorch)");
}

int run(const TrainOptions& options, Session& session) {
  if (!options.words.empty() && options.words[0] == "export")
    return export_checkpoint(options, session);
  return hand_over(session);
}

}  // namespace

Command train_command() {
  auto options = std::make_shared<TrainOptions>();
  Command command = train_description(*options);
  command.run = [options](Session& session) { return run(*options, session); };
  return command;
}

}  // namespace pdvc
