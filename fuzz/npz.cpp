#include "tensor/npz.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    for (const auto& [name, array] : pdvc::parse_npz(bytes, "fuzz"))
      pdvc::statistics_of(array.view());
  });
}
