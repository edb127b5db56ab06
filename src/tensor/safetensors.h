// safetensors files: a JSON header, then the tensors' bytes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tensor/array.h"

namespace pdvc {

// A file's tensors, looked at where they lie, and its metadata.
class Safetensors {
 public:
  explicit Safetensors(const std::filesystem::path& path);  // maps the file
  Safetensors(Bytes file, const std::string& name);         // looks at bytes that outlive it

  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::map<std::string, ArrayView>& tensors() const { return tensors_; }
  // The mapping's bytes, so that pages no longer needed can be given back.
  Bytes bytes() const { return bytes_; }

 private:
  void parse(const std::string& name);

  std::optional<MappedFile> file_;
  Bytes bytes_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, ArrayView> tensors_;
};

bool looks_like_safetensors(Bytes file);

struct NamedView {
  std::string name;
  ArrayView view;
};

// Written whole or not at all, tensors in the order given, each at a multiple of 64 bytes from the
// file's start when the sizes before it allow.
void write_safetensors(const std::filesystem::path& path, const std::vector<NamedView>& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace pdvc
