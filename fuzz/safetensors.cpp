#include "tensor/safetensors.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    const pdvc::Safetensors file(bytes, "fuzz");
    for (const auto& [name, view] : file.tensors()) pdvc::statistics_of(view);
  });
}
