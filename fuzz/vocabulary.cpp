#include "target.h"
#include "text/caption.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pdvc::fuzz_one(data, size, [](pdvc::Bytes bytes) {
    const pdvc::Vocabulary vocabulary = pdvc::Vocabulary::parse(pdvc::as_text(bytes), "fuzz");
    pdvc::ids_to_caption(pdvc::caption_to_ids(pdvc::as_text(bytes), vocabulary, 30), vocabulary);
  });
}
