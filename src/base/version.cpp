#include "base/version.h"

#include "version_numbers.h"

namespace pdvc {

std::string version() { return PDVC_VERSION; }
std::string commit() { return PDVC_COMMIT; }

}  // namespace pdvc
