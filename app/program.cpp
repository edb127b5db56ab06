#include "program.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "command_line.h"

namespace pdvc {
namespace {

constexpr int kFailed = 1, kWrongUsage = 2, kInterrupted = 130;

ProgressMode progress_mode(const GlobalOptions& options) {
  if (options.progress == "json") return ProgressMode::json;
  return options.progress == "auto" && isatty(STDERR_FILENO) ? ProgressMode::bar
                                                             : ProgressMode::silent;
}

Verbosity verbosity(const GlobalOptions& options) {
  return options.quiet     ? Verbosity::quiet
         : options.verbose ? Verbosity::verbose
                           : Verbosity::normal;
}

int run(const std::vector<std::string>& words, std::vector<Command>& commands, Log& log) {
  const ParsedLine line = parse_command_line(words, commands);
  int code = 0;
  if (line.command) {
    log.set_verbosity(verbosity(line.global));
    Session session{.log = log, .out = std::cout};
    session.threads =
        line.global.threads > 0 ? static_cast<int>(line.global.threads) : available_threads();
    session.progress = progress_mode(line.global);
    session.words = words;
    code = line.command->run(session);
  } else {
    std::cout << line.answer;
  }
  std::cout.flush();
  check(std::cout.good(), "standard output: cannot be written");
  return code;
}

int run_safely(const std::vector<std::string>& words, std::vector<Command>& commands,
               Log& log) try {
  return run(words, commands, log);
} catch (const UsageError& error) {
  log.error(error.what());
  return kWrongUsage;
} catch (const Interrupted&) {
  log.error("interrupted");
  return kInterrupted;
} catch (const std::filesystem::filesystem_error& error) {
  log.error(error.path1().string() + ": " + error.code().message());
  return kFailed;
} catch (const std::bad_alloc&) {
  log.error("out of memory");
  return kFailed;
} catch (const std::exception& error) {
  log.error(error.what());
  return kFailed;
}

}  // namespace

int run_program(const std::string& name, const std::vector<std::string>& words,
                std::vector<Command> commands) {
  catch_interrupts();
  // A file that may not grow further is an error to report, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  Log log(std::cerr, name);
  return run_safely(words, commands, log);
}

}  // namespace pdvc
