#include "data/annotations.h"

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    pdvc::NullLog log;
    pdvc::parse_annotations(pdvc::as_text(bytes), "fuzz", pdvc::kTrainingData, log);
  });
}
