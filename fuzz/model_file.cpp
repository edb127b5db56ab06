#include "data/model_file.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    pdvc::NullLog log;
    const pdvc::ModelFile model(pdvc::Safetensors(bytes, "fuzz"), "fuzz", log);
  });
}
