// Makes the file that MeteorData maps, from METEOR's published data.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/progress.h"
#include "evaluation/meteor_source.h"

namespace pdvc {

// Told how many more bytes of the packed paraphrases have been read.
using BytesRead = std::function<void(int64_t)>;

// The file's contents. Takes seconds.
std::string make_meteor_data(const MeteorSource& source, const BytesRead& advanced = {});

// From a wheel or folder (see MeteorSource) into a file, with a bar.
void write_meteor_data(const std::filesystem::path& source, const std::filesystem::path& target,
                       Log& log, ProgressMode progress);

}  // namespace pdvc
