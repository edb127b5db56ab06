// Where fetched and built data is kept between runs.
#pragma once

#include <filesystem>

namespace pdvc {

// $PDVC_CACHE, else $XDG_CACHE_HOME/pdvc, else ~/.cache/pdvc; it need not exist. Throws when none
// of these is set.
std::filesystem::path cache_folder();

}  // namespace pdvc
