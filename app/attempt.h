// With many inputs a bad one is reported, and the others are done.
#pragma once

#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/printable.h"

namespace pdvc {

// Whether the work on one of many inputs succeeded; if not, it has been said why. `name` is for
// failures that do not name it themselves.
template <class Work>
bool attempt(const std::string& name, Log& log, const Work& work) try {
  work();
  return true;
} catch (const Interrupted&) {
  throw;
} catch (const Error& error) {
  log.error(error.what());
  return false;
} catch (const std::exception& error) {  // no memory, a file system that fails
  log.error(join_text(printable(name), ": ", error.what()));
  return false;
}

}  // namespace pdvc
