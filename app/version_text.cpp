#include "version_text.h"

#include "base/error.h"
#include "base/version.h"
#include "kernels/instruction_set.h"
#include "video/probe.h"

namespace pdvc {

std::string version_text() {
  return join_text("pdvc ", version(), " (", commit(), ")\noneDNN ", onednn_version(), ", FFmpeg ",
                   ffmpeg_version(), "\ninstructions: ", instruction_set(), "\n");
}

}  // namespace pdvc
