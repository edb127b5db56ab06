// PyTorch checkpoints (.pth, .pt, .ckpt) as Python writes them: the zip format, the older stream,
// or a bare pickle.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tensor/array.h"

namespace pdvc {

// An object of a class that the reader does not know; nothing of it is looked at.
struct OpaqueObject {
  std::string type;
};

using CheckpointValue =
    std::variant<std::monostate, bool, int64_t, double, std::string, ArrayView, OpaqueObject>;

// One leaf of the checkpoint: "optimizer/state/0/exp_avg", the keys and indices on the way to it
// joined by '/'.
struct CheckpointEntry {
  std::string path;
  CheckpointValue value;
};

enum class CheckpointFormat { zip, stream, pickle };

// Tensors are looked at where they lie in the mapped file; only views that are not row-major are
// copied.
class Checkpoint {
 public:
  explicit Checkpoint(const std::filesystem::path& path);
  Checkpoint(Bytes file, const std::string& name);  // bytes that outlive it

  const std::vector<CheckpointEntry>& entries() const { return entries_; }
  // Null when there is no such entry, or it is not a tensor.
  const ArrayView* find_tensor(const std::string& path) const;
  CheckpointFormat format() const { return format_; }
  // The mapping's bytes, so that pages no longer needed can be given back.
  Bytes bytes() const { return bytes_; }
  // Compares the archive's checksums; for whoever reads all of it anyway.
  void verify() const;

 private:
  friend class CheckpointReader;
  void read(const std::string& name);

  std::optional<MappedFile> file_;
  Bytes bytes_;
  std::string name_;
  CheckpointFormat format_ = CheckpointFormat::zip;
  std::vector<CheckpointEntry> entries_;
  std::deque<Array> copies_;                     // tensors that do not lie row-major in the file
  std::deque<std::vector<std::byte>> unpacked_;  // deflated members
};

// A zip archive with a pickle inside, torch's older magic number, or the start of a binary pickle.
bool looks_like_checkpoint(Bytes file);

}  // namespace pdvc
