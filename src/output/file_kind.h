// What kind of file something is, told from its contents rather than its name.
#pragma once

#include <filesystem>

namespace pdvc {

enum class FileKind {
  folder,
  npy,
  npz,
  hdf5,
  safetensors,
  checkpoint,
  vocabulary,
  annotations,
  predictions,
  paragraphs,
  video_list,
  settings,
  other,  // perhaps a video: FFmpeg knows
};

// Throws when there is no such file, it is empty, or it is JSON of no known kind.
FileKind kind_of_file(const std::filesystem::path& path);

}  // namespace pdvc
