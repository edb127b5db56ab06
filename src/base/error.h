// How bad input is reported: one exception type, one line that names the thing and what was
// expected.
#pragma once

#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>

namespace pdvc {

// Bad input or a failed operation, said in one line: "FILE: what is wrong (what was expected)".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown at the next check after the user pressed Ctrl-C; not an Error, so that nothing mistakes it
// for bad input.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

namespace detail {
inline void append(std::ostringstream& out, const std::filesystem::path& path) {
  out << path.string();  // operator<< would add quotes
}
template <class Part>
void append(std::ostringstream& out, const Part& part) {
  out << part;
}
}  // namespace detail

// Joins its arguments into one string.
template <class... Parts>
std::string join_text(const Parts&... parts) {
  std::ostringstream out;
  out.precision(10);
  (detail::append(out, parts), ...);
  return out.str();
}

template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw Error(join_text(parts...));
}

// check(dims == 2, path, ": expected [time, channels], got ", dims, " dimensions");
template <class... Parts>
void check(bool holds, const Parts&... parts) {
  if (!holds) [[unlikely]]
    fail(parts...);
}

}  // namespace pdvc
