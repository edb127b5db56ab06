#include "base/log.h"

#include "base/printable.h"

namespace pdvc {
namespace {
// Messages quote names from files; no honest message is longer than this.
constexpr size_t kLongestMessage = 4000;
constexpr std::string_view kEraseLine = "\r\033[K";
}  // namespace

void Log::error(std::string_view message) { write("", message); }

void Log::warning(std::string_view message) {
  if (verbosity_ != Verbosity::quiet) write("warning: ", message);
}

void Log::info(std::string_view message) {
  if (verbosity_ != Verbosity::quiet) write("", message);
}

void Log::detail(std::string_view message) {
  if (verbosity_ == Verbosity::verbose) write("", message);
}

void Log::status(std::string_view line) {
  const std::lock_guard lock(mutex_);
  clear_status();
  out_ << line << std::flush;
  status_shown_ = !line.empty();
}

void Log::raw(std::string_view line) {
  const std::lock_guard lock(mutex_);
  clear_status();
  out_ << line << '\n' << std::flush;
}

void Log::write(std::string_view kind, std::string_view message) {
  const std::lock_guard lock(mutex_);
  clear_status();
  out_ << program_ << ": " << kind << printable(message, kLongestMessage) << '\n' << std::flush;
}

void Log::clear_status() {
  if (status_shown_) out_ << kEraseLine;
  status_shown_ = false;
}

}  // namespace pdvc
