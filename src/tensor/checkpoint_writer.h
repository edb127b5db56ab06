// Writes a checkpoint that Python's torch.load understands.
#pragma once

#include <filesystem>
#include <vector>

#include "tensor/array.h"
#include "tensor/safetensors.h"

namespace pdvc {

// {"epoch": epoch, "model": OrderedDict of the tensors in the order given}. Tensors that look at
// the same bytes share one storage, as tied parameters do.
void write_checkpoint(const std::filesystem::path& path, int64_t epoch,
                      const std::vector<NamedView>& tensors);

}  // namespace pdvc
