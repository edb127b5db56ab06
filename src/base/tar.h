// One file out of a .tar.gz archive.
#pragma once

#include <filesystem>
#include <string>

namespace pdvc {

// Throws when there is no such member, or the archive is damaged.
std::string read_tar_gz_member(const std::filesystem::path& archive, const std::string& member);

}  // namespace pdvc
