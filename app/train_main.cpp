// pdvc-train: the trainer, on LibTorch. `pdvc train` runs it.
#include <memory>

#include "base/error.h"
#include "base/version.h"
#include "data/settings.h"
#include "program.h"
#include "train_options.h"
#include "training/environment.h"
#include "training/launcher.h"
#include "training/trainer.h"
#include "version_text.h"

namespace pdvc {
namespace {

Settings settings_of(const TrainOptions& options, Log& log) {
  const RunFolder folder(options.output);
  if (options.config.empty() && !options.resume) throw UsageError("train: expected --config FILE");
  const std::filesystem::path path =
      options.config.empty() ? folder.settings() : std::filesystem::path(options.config);
  return load_settings(path, options.words, log);
}

int train(const TrainOptions& options, Session& session) {
  if (!options.words.empty() && options.words[0] == "export")
    throw UsageError("export is a command of pdvc: pdvc train export CHECKPOINT OUT");
  if (options.output.empty()) throw UsageError("train: expected -o DIR");
  const auto environment = worker_environment();
  if (options.workers > 1 && !environment)
    return run_workers({.count = static_cast<int>(options.workers),
                        .threads = session.threads,
                        .words = session.words},
                       session.log);
  keep_freed_memory();
  if (environment && environment->rank > 0) session.log.set_verbosity(Verbosity::quiet);
  Workers workers = environment ? Workers(*environment) : Workers();
  Trainer({.settings = settings_of(options, session.log),
           .folder = options.output,
           .start = options.resume ? Start::resumed : Start::fresh,
           .weights = options.from,
           .least_count = options.min_count,
           .device = options.device,
           .threads = session.threads,
           .progress = session.progress},
          workers, session.log)
      .run();
  return 0;
}

Command trainer_command() {
  auto options = std::make_shared<TrainOptions>();
  Command command = train_description(*options);
  command.run = [options](Session& session) { return train(*options, session); };
  return command;
}

}  // namespace

std::string version_text() {
  return join_text("pdvc-train ", version(), " (", commit(), ")\nLibTorch ", torch_version(),
                   ", devices: ", torch_devices(), "\n");
}

}  // namespace pdvc

int main(int count, char** words) {
  pdvc::prefer_fast_blas(words);
  return pdvc::run_program("pdvc-train", {words + 1, words + count}, {pdvc::trainer_command()});
}
