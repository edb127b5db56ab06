#include "target.h"
#include "tensor/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    const pdvc::Checkpoint checkpoint(bytes, "fuzz");
    for (const pdvc::CheckpointEntry& entry : checkpoint.entries())
      if (const auto* view = std::get_if<pdvc::ArrayView>(&entry.value)) pdvc::statistics_of(*view);
  });
}
