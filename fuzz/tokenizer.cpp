#include "target.h"
#include "text/ptb_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size,
                        [](pdvc::Bytes bytes) { pdvc::evaluation_text(pdvc::as_text(bytes)); });
}
