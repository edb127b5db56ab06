// What a person sees on standard error: messages, and one line of progress that messages do not
// tear.
#pragma once

#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace pdvc {

enum class Verbosity { quiet, normal, verbose };

// Writes messages line by line; safe to use from several threads.
class Log {
 public:
  Log(std::ostream& out, std::string program, Verbosity verbosity = Verbosity::normal)
      : out_(out), program_(std::move(program)), verbosity_(verbosity) {}

  void error(std::string_view message);    // always
  void warning(std::string_view message);  // not when quiet
  void info(std::string_view message);     // not when quiet
  void detail(std::string_view message);   // only when verbose

  // A line that the next status or message replaces; an empty one removes it. For terminals.
  void status(std::string_view line);
  // A line as it is, for programs that read standard error.
  void raw(std::string_view line);

  void set_verbosity(Verbosity verbosity) { verbosity_ = verbosity; }
  Verbosity verbosity() const { return verbosity_; }

 private:
  void write(std::string_view kind, std::string_view message);
  void clear_status();

  std::ostream& out_;
  std::string program_;
  Verbosity verbosity_;
  std::mutex mutex_;
  bool status_shown_ = false;
};

}  // namespace pdvc
