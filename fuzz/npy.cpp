#include "tensor/npy.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    const pdvc::Array array = pdvc::parse_npy(bytes, "fuzz");
    pdvc::statistics_of(array.view());
  });
}
